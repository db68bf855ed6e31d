import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '#kit/backoff.ts'
import { agentFigures } from './agent.ts'
import { buildFigures, listTimes } from './builds.ts'
import { cacheFigures } from './cache.ts'
import { checkoutFigures } from './checkout.ts'
import { configFigures } from './config.ts'
import { dockerFigures } from './docker.ts'
import { deliveryFigures } from './deliveries.ts'
import { type Figure, isMet, table } from './figures.ts'
import { writeHistory } from './history.ts'
import { hookFigures } from './hooks.ts'
import { insightFigures } from './insights.ts'
import { fanOut, noop, queue } from './latency.ts'
import { listFigures, throttleFigure } from './lists.ts'
import { runFigures } from './run.ts'
import { large, logFigures, short } from './logs.ts'
import { writeBuilds } from './many-builds.ts'
import { maskFigures } from './mask.ts'
import { pushFigures } from './push.ts'
import { agentStarter, call, pushRepository, residentMiB, type Service, startService } from './service.ts'
import { stepFigure } from './steps.ts'
import { triggerFigure } from './trigger.ts'
import { webFigures } from './web.ts'

/*
 * Measures the real program against floors taken in the same run, turn by turn, and prints the ratios.
 * Machines are noisy: what counts is the ratio of medians, and a goal is missed only when two runs agree.
 */

const job = (name: string, steps: string) => `  ${name}:\n    machine: true\n    steps:\n${steps}\n`
const config = (jobs: string, workflow: string) =>
  `version: 2.1\njobs:\n${jobs}workflows:\n  w:\n    jobs:\n${workflow}\n`
const run = (command: string) => `      - run:\n          name: step\n          command: |\n            ${command}`
const middle = Array.from({ length: 18 }, (_, i) => `m${i + 1}`)

const repositories: Readonly<Record<string, string>> = {
  noop: config(job('build', run('true')), '      - build'),
  large: config(job('build', run(large)), '      - build'),
  short: config(job('build', run(short)), '      - build'),
  // Nothing to run: what is measured is the trigger alone.
  nothing: config(job('build', run('true')), '      - build:\n          filters: {branches: {only: none}}'),
  fan: config(
    [job('first', run('true')), ...middle.map((name) => job(name, run('true'))), job('last', run('true'))].join(''),
    [
      '      - first',
      ...middle.map((name) => `      - ${name}: {requires: [first]}`),
      `      - last: {requires: [${middle.join(', ')}]}`,
    ].join('\n'),
  ),
}

async function size(service: Service): Promise<readonly Figure[]> {
  // Nothing goes on for a while, which is what idle means.
  await pause(10_000)
  const { self, children } = residentMiB(service.child.pid ?? 0)
  return [
    {
      what: 'server and agent, idle',
      ours: `${self.toFixed(0)} + ${children.toFixed(0)} MiB`,
      floor: '1 MiB',
      ratio: self + children,
      goal: 150,
      peers: 'Laminar 8, Woodpecker 53, Buildbot 194',
    },
    {
      what: 'first answer',
      ours: `${service.firstAnswerMs.toFixed(0)} ms`,
      floor: '1000 ms',
      ratio: service.firstAnswerMs / 1000,
      goal: 1,
      peers: 'Woodpecker 0.04, Buildbot 2',
    },
  ]
}

/** Lists of builds of a project of which there are many: how fast, and how much slower than of a project with few. */
async function builds(): Promise<readonly Figure[]> {
  const [few, many] = [await withBuilds(10_000, listTimes), await withBuilds(1_000_000, listTimes)]
  return [
    ...(await withBuilds(100_000, buildFigures)),
    ...[...many].map(([what, time]) => ({
      what: `${what} of 1,000,000 builds`,
      ours: `${time.toFixed(2)} ms`,
      floor: `${few.get(what)?.toFixed(2)} ms of 10,000`,
      ratio: time / (few.get(what) ?? 1),
      goal: 1.2,
    })),
  ]
}

async function withBuilds<T>(count: number, measure: (service: Service) => Promise<T>): Promise<T> {
  const own = mkdtempSync(join(tmpdir(), 'roundhouse-bench-'))
  try {
    {
      await using service = await startService({ slots: 0, folder: own })
      pushRepository(service, 'many', repositories['nothing'] ?? '')
    }
    writeBuilds(own, 'many', count)
    await using service = await startService({ slots: 0, folder: own })
    return await measure(service)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-'))
const figures: Figure[] = []
const wanted = process.argv.slice(2)
const wants = (name: string) => wanted.length === 0 || wanted.includes(name)
try {
  if (wants('web')) figures.push(...(await webFigures()))
  if (wants('docker')) figures.push(...(await dockerFigures()))
  if (wants('run')) figures.push(...(await runFigures()))
  if (wants('config')) figures.push(...configFigures())
  if (wants('mask')) figures.push(...maskFigures())
  if (wants('insights')) figures.push(...(await insightFigures()))
  if (wants('deliveries')) figures.push(...(await deliveryFigures()))
  if (wants('hooks')) figures.push(...(await hookFigures()))
  if (wants('builds')) figures.push(...(await builds()))
  if (wants('lists')) figures.push(...(await withBuilds(100_000, (service) => listFigures(service, 'many'))))
  if (wants('throttle')) {
    await using counting = await startService({ slots: 0, rateLimit: '1000000' })
    await using free = await startService({ slots: 0 })
    figures.push(await throttleFigure(counting, free))
  }
  {
    await using service = await startService({ slots: 0, folder })
    for (const [name, text] of Object.entries(repositories)) pushRepository(service, name, text)
    // Something to mask, so that masking is paid for.
    for (const name of ['large', 'short'])
      await call(service, 'POST', `/api/v2/project/gh/bench/${name}/envvar`, {
        name: 'SECRET',
        value: 'hunter2-and-more',
      })
  }
  await writeHistory(folder, 'noop', 10_000)
  if (wants('size')) {
    await using service = await startService({ slots: 2, folder })
    figures.push(...(await size(service)))
  }
  {
    await using service = await startService({ slots: 2, folder })
    if (wants('noop')) figures.push(...(await noop(service, 'no-op job', { p50: 4, p95: 8 })))
    if (wants('step')) figures.push(await stepFigure(service))
    if (wants('fan')) figures.push(await fanOut(service))
    if (wants('logs')) figures.push(...(await logFigures(service)))
    if (wants('cache')) figures.push(...(await cacheFigures(service)))
    if (wants('checkout')) figures.push(...(await checkoutFigures(service)))
    if (wants('push')) figures.push(...(await pushFigures(service)))
    if (wants('trigger')) figures.push(await triggerFigure(service))
  }
  if (wants('big')) {
    await using service = await startService({
      slots: 2,
      folder,
      node: ['--import', new URL('ballast.ts', import.meta.url).pathname],
    })
    figures.push(...(await noop(service, 'no-op job, server at 1 GiB', { p50: 6 })))
  }
  if (wants('agent')) {
    await using service = await startService({ slots: 0, folder })
    figures.push(...(await agentFigures(service)))
  }
  if (wants('queue')) {
    await using service = await startService({ slots: 0, folder })
    await using agents = agentStarter(service)
    figures.push(await queue(service, () => agents.start()))
    const resident = agents.residentMiB()
    figures.push({
      what: 'agent of its own, after 200 jobs',
      ours: `${resident.toFixed(0)} MiB`,
      floor: '1 MiB',
      ratio: resident,
      goal: 80,
    })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(table(figures))
const missed = figures.filter((figure) => !isMet(figure))
console.log(missed.length === 0 ? 'Every goal is met.' : `${missed.length} of ${figures.length} goals are missed.`)
