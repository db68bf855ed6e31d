import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lane } from '#test/lanes.ts'
import { framesOf, openWindow, timeTo, type Window, workOf } from './browser.ts'
import { type Figure, median } from './figures.ts'
import { writeBuilds } from './many-builds.ts'
import { triggerAt } from './runs.ts'
import { call, pushRepository, type Service, startService, until } from './service.ts'
import { config, followFigures, hugeFigures, logJobs } from './web-logs.ts'

/*
 * The pages in a real browser: how much they load, how soon they can be used, how evenly they are drawn. A machine that
 * does other things at the same time shows in all of it but the bytes.
 */

const manyJobs = Array.from({ length: 499 }, (_, index) => `job-${index + 1}`)

/** Five hundred jobs in ten rows, of which none runs: the first waits for somebody. */
const wide = `version: 2.1
jobs:
${manyJobs.map((name) => `  ${name}: {machine: true, steps: [{run: "true"}]}`).join('\n')}
workflows:
  wide:
    jobs:
      - gate: {type: approval}
${manyJobs.map((name, index) => `      - ${name}: {requires: [${index < 50 ? 'gate' : manyJobs[index - 50]}]}`).join('\n')}
`

/** All figures of the pages; none where there is no browser. */
export async function webFigures(): Promise<readonly Figure[]> {
  const browser = lane('browser')
  if (!browser.on) {
    console.log(`web: skipped, as pages need a browser: ${browser.reason}`)
    return []
  }
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-'))
  try {
    {
      await using service = await startService({ slots: 0, folder })
      for (const [name, text] of Object.entries({ wide, many: config('true'), ...logJobs }))
        pushRepository(service, name, text)
    }
    writeBuilds(folder, 'many', 100_000)
    await using service = await startService({
      slots: 2,
      folder,
      environment: { ROUNDHOUSE_STEP_LOG_MEGABYTES: '2000' },
    })
    const gated = await triggerAt(service, 'wide')
    const figures: Figure[] = []
    {
      await using window = await openWindow(service, browser.path)
      figures.push(...(await firstLoad(service, window)))
      figures.push(...(await longList(service, window)))
      figures.push(...(await wideWorkflow(service, window, gated.id)))
    }
    {
      await using window = await openWindow(service, browser.path)
      figures.push(...(await hugeFigures(service, window)))
    }
    {
      await using window = await openWindow(service, browser.path)
      figures.push(...(await followFigures(service, window)))
    }
    return figures
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function firstLoad(service: Service, { page, cdp, scripts }: Window): Promise<readonly Figure[]> {
  await timeTo(page, service.url, '.card')
  const bytes = scripts()
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const times: number[] = []
  for (let round = 0; round < 7; round++) times.push(await timeTo(page, service.url, '.card'))
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const work: number[] = []
  for (let round = 0; round < 5; round++) work.push(await workOf(cdp, () => timeTo(page, service.url, '.card')))
  return [
    figure('scripts of the first page', `${(bytes / 1000).toFixed(0)} kB`, '1 kB', bytes / 1000, 200),
    figure('dashboard, processor 4 times slower', ms(median(times)), '1000 ms', median(times) / 1000, 1),
    // Four times this is what such a processor works of the second.
    figure('  work of its main thread', ms(median(work)), '1000 ms', median(work) / 1000, 0.15),
  ]
}

async function longList(service: Service, { page, received }: Window): Promise<readonly Figure[]> {
  const times: number[] = []
  received()
  for (let round = 0; round < 5; round++) times.push(await timeTo(page, `${service.url}/pipelines`, '.pipeline'))
  const bytes = received() / times.length
  const elements = await page.evaluate<number>('document.querySelectorAll("*").length')
  return [
    figure('list of 100,000 pipelines', ms(median(times)), '1000 ms', median(times) / 1000, 1),
    figure('  transferred', `${(bytes / 1000).toFixed(0)} kB`, '1 kB', bytes / 1000, 200),
    figure('  elements in the page', String(elements), '1', elements, 2000),
  ]
}

async function wideWorkflow(service: Service, { page }: Window, pipeline: string): Promise<readonly Figure[]> {
  const workflow = await held(service, pipeline)
  const jobs = await call<{ readonly items: readonly unknown[] }>(service, 'GET', `/api/v2/workflow/${workflow}/job`)
  const url = `${service.url}/pipelines/gh/bench/wide/1/workflows/${workflow}`
  const times: number[] = []
  for (let round = 0; round < 3; round++) times.push(await timeTo(page, url, '.graph .job'))
  const elements = await page.evaluate<number>('document.querySelectorAll("*").length')
  const frames = await framesOf(page, 3_000, 'scrollBy(0, Math.sin(now / 300) * 60)')
  return [
    figure(`workflow of ${jobs.items.length} jobs and more`, ms(median(times)), '1000 ms', median(times) / 1000, 1.5),
    figure('  elements in the page', String(elements), '1', elements, 6000),
    { ...figure('  frames a second, scrolled', frames.perSecond.toFixed(0), '1', frames.perSecond, 55), atLeast: true },
  ]
}

/** The workflow of a pipeline, once it waits for somebody. */
async function held(service: Service, pipeline: string): Promise<string> {
  let id = ''
  await until(
    async () => {
      const { items } = await call<{ readonly items: readonly { readonly id: string; readonly status: string }[] }>(
        service,
        'GET',
        `/api/v2/pipeline/${pipeline}/workflow`,
      )
      id = items[0]?.id ?? ''
      return items[0]?.status === 'on_hold'
    },
    30_000,
    100,
  )
  return id
}

const ms = (value: number) => `${value.toFixed(0)} ms`

const figure = (what: string, ours: string, floor: string, ratio: number, goal: number): Figure => ({
  what,
  ours,
  floor,
  ratio,
  goal,
})
