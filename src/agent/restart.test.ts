import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startOf } from './executors/processes.ts'
import { agentProcess } from './testing/agent-process.ts'
import { fakeServer } from './testing/fake-server.ts'
import { job, run } from './testing/specs.ts'
import { tempFolder } from './testing/world.ts'

async function stage() {
  const stack = new AsyncDisposableStack()
  const server = stack.use(await fakeServer())
  const folder = stack.use(tempFolder())
  const agent = stack.use(agentProcess(server.url, folder.path))
  return { server, agent, folder: folder.path, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** What a counting step writes, however often its agent is killed. */
const counted = (to: number) => Array.from({ length: to }, (_, i) => `line ${i + 1} of many\n`).join('')
const count = (to: number) =>
  `for ((i = 1; i <= ${to}; i++)); do echo "line $i of many"; ((i % 10)) || sleep 0.01; done`

test('an agent that is killed again and again loses and doubles no byte', async () => {
  await using it = await stage()
  const spec = job([run('echo first'), run(count(1500)), run('echo third'), run(count(300))])
  it.server.enqueue(spec)
  for (const bytes of [1, 5000, 12_000, 20_000]) {
    it.agent.start()
    await it.server.until(() => it.server.logOf(spec.id, 1).length >= bytes)
    await it.agent.kill()
  }
  it.agent.start()
  const { outcome, steps } = await it.server.finished(spec.id)
  assert.deepEqual([outcome, ...steps.map((step) => step.exit_code)], ['success', 0, 0, 0, 0])
  const logs = spec.steps.map((_, index) => it.server.logOf(spec.id, index).toString())
  assert.deepEqual(logs, ['first\n', counted(1500), 'third\n', counted(300)])
})

test('a step that ends while there is no agent is not run again, and the next one runs', async () => {
  await using it = await stage()
  const spec = job([
    run('echo started; while [ ! -e ~/go ]; do sleep 0.02; done; echo x >>~/times; exit 0'),
    run('cat ~/times'),
  ])
  it.server.enqueue(spec)
  it.agent.start()
  await it.server.until(() => it.server.logOf(spec.id, 0).length > 0)
  await it.agent.kill()
  const place = placeIn(it.folder)
  writeFileSync(join(place, 'home', 'go'), '')
  await appears(() => readFileSync(join(place, 'step-0.exit-0'), 'utf8') === '0\n')
  it.agent.start()
  assert.equal((await it.server.finished(spec.id)).outcome, 'success')
  assert.equal(it.server.logOf(spec.id, 1).toString(), 'x\n')
})

test('a step in the background is followed to its end, also when the steps beside it ended without an agent', async () => {
  await using it = await stage()
  const spec = job([
    run('while [ ! -e ~/go ]; do sleep 0.02; done; echo late', { background: true }),
    // Between its two runs nothing else of the job is there.
    run('echo beside; while [ ! -e ~/next ]; do sleep 0.02; done; [ -e ~/again ] || { touch ~/again; exit 1; }', {
      max_auto_reruns: 1,
      auto_rerun_delay_ms: 700,
    }),
    run('touch ~/go; while [ ! -s "${BASH_ENV%/*}/step-0.exit-0" ]; do sleep 0.02; done'),
  ])
  it.server.enqueue(spec)
  it.agent.start()
  await it.server.until(() => it.server.logOf(spec.id, 1).length > 0)
  await it.agent.kill()
  const place = placeIn(it.folder)
  writeFileSync(join(place, 'home', 'next'), '')
  await appears(() => readFileSync(join(place, 'step-1.exit-0'), 'utf8') === '1\n')
  it.agent.start()
  const { outcome, steps } = await it.server.finished(spec.id)
  assert.deepEqual([outcome, steps[0]?.status], ['success', 'success'])
  assert.equal(it.server.logOf(spec.id, 0).toString(), 'late\n')
})

test('a step that an agent wrote and did not live to hand over is begun by the next one, whatever runs beside it', async () => {
  await using it = await stage()
  const spec = job([
    run('while [ ! -e ~/end ]; do sleep 0.02; done; echo late', { background: true }),
    run('echo beside; while [ ! -e ~/go ]; do sleep 0.02; done'),
    run('echo once >>~/ran; touch ~/end; while [ ! -s "${BASH_ENV%/*}/step-0.exit-0" ]; do sleep 0.02; done'),
    run('cat ~/ran'),
  ])
  it.server.enqueue(spec)
  it.agent.start()
  await it.server.until(() => it.server.logOf(spec.id, 1).length > 0)
  await it.agent.kill()
  const place = placeIn(it.folder)
  // As it would be if the agent had been killed a moment later.
  writeFileSync(join(place, 'step-2.go-0'), 'exit 3\n')
  writeFileSync(join(place, 'home', 'go'), '')
  await appears(() => readFileSync(join(place, 'step-1.exit-0'), 'utf8') === '0\n')
  it.agent.start()
  const { outcome, steps } = await it.server.finished(spec.id)
  assert.deepEqual(
    [outcome, ...steps.map(({ status }) => status)],
    ['success', 'success', 'success', 'success', 'success'],
  )
  assert.deepEqual(
    [0, 2, 3].map((step) => it.server.logOf(spec.id, step).toString()),
    ['late\n', '', 'once\n'],
  )
})

test('every step runs exactly once, wherever the agent is killed', async () => {
  await using it = await stage()
  const spec = job(
    Array.from({ length: 40 }, (_, i) => run(`echo ${i} >>~/ran; echo step ${i}; sleep 0.03`)).concat(run('cat ~/ran')),
  )
  it.server.enqueue(spec)
  for (const step of [0, 5, 13, 22, 30, 38]) {
    it.agent.start()
    await it.server.until(() => it.server.logOf(spec.id, step).length > 0)
    await it.agent.kill()
  }
  it.agent.start()
  assert.equal((await it.server.finished(spec.id)).outcome, 'success')
  const numbers = Array.from({ length: 40 }, (_, i) => `${i}\n`)
  assert.equal(it.server.logOf(spec.id, 40).toString(), numbers.join(''))
  assert.deepEqual(
    numbers.map((_, i) => it.server.logOf(spec.id, i).toString()),
    numbers.map((n) => `step ${n}`),
  )
})

test('a token that a step was given is hidden by the next agent too, in what was printed before', async () => {
  await using it = await stage()
  const spec = job([
    run('t=$(circleci run oidc get); echo "$t"; echo printed; while [ ! -e ~/go ]; do sleep 0.02; done; echo "$t"'),
    run('circleci run oidc get'),
  ])
  it.server.enqueue(spec)
  it.agent.start()
  await it.server.until(() => it.server.logOf(spec.id, 0).length > 0)
  await it.agent.kill()
  writeFileSync(join(placeIn(it.folder), 'home', 'go'), '')
  it.agent.start()
  assert.equal((await it.server.finished(spec.id)).outcome, 'success')
  const logs = [0, 1].map((step) => it.server.logOf(spec.id, step).toString())
  assert.deepEqual(logs, ['****\nprinted\n****\n', '****\n'])
})

test('a supervisor that has gone without an exit code ends the job as a failure of ours', async () => {
  await using it = await stage()
  const spec = job([run('echo started; sleep 100'), run('echo never', { when: 'always' })])
  it.server.enqueue(spec)
  it.agent.start()
  await it.server.until(() => it.server.logOf(spec.id, 0).length > 0)
  await it.agent.kill()
  const [{ pid }] = JSON.parse(readFileSync(join(placeIn(it.folder), 'supervisors.json'), 'utf8'))
  process.kill(-pid, 'SIGKILL')
  it.agent.start()
  const { outcome, reason, steps } = await it.server.finished(spec.id)
  assert.deepEqual(
    { outcome, reason, statuses: steps.map((step) => step.status) },
    {
      outcome: 'infrastructure_fail',
      reason: 'The process that ran step "echo started; sleep 100" has gone without an exit code',
      statuses: ['infrastructure_fail', 'skipped'],
    },
  )
})

test('a cancel reaches a job that was taken over', async () => {
  await using it = await stage()
  const spec = job([run('echo pid $$; exec sleep 100'), run('true')])
  it.server.enqueue(spec)
  it.agent.start()
  await it.server.until(() => it.server.logOf(spec.id, 0).length > 0)
  await it.agent.kill()
  it.server.change(spec.id, { canceled: true })
  it.agent.start()
  assert.equal((await it.server.finished(spec.id)).outcome, 'canceled')
  assert.equal(startOf(Number(/\d+/.exec(it.server.logOf(spec.id, 0).toString())![0])), undefined)
})

test('a job that was being stopped ends for the same reason under the next process', async () => {
  await using it = await stage()
  const spec = job([run(`trap '' TERM; echo deaf; while :; do sleep 0.1; done`, { no_output_timeout_ms: 2400 })])
  await using slow = agentProcess(it.server.url, it.folder, { graceMs: 60_000 })
  it.server.enqueue(spec)
  slow.start()
  await appears(() => existsSync(join(placeIn(it.folder), 'stop.json')))
  await slow.kill()
  it.agent.start()
  const { outcome, steps } = await it.server.finished(spec.id)
  assert.deepEqual([outcome, steps[0]?.status], ['timedout', 'timedout'])
  assert.match(
    it.server.logOf(spec.id, 0).toString(),
    /^(deaf\n)?\nToo long with no output \(exceeded 2.4s\): context deadline exceeded\n$/,
  )
})

test('an end that the server has not heard of is told by the next process', async () => {
  await using it = await stage()
  const spec = job([run('echo all done')])
  it.server.upset((request) => (request === '/finish' ? 'close' : undefined))
  it.server.enqueue(spec)
  it.agent.start()
  await it.server.until(() => it.server.requests.includes('/finish'))
  await it.agent.kill()
  it.server.upset(() => undefined)
  it.agent.start()
  assert.equal((await it.server.finished(spec.id)).outcome, 'success')
  assert.equal(it.server.logOf(spec.id, 0).toString(), 'all done\n')
})

test('two agents do not work in one folder', async () => {
  await using it = await stage()
  it.agent.start()
  await it.server.until(() => it.server.requests.includes('/claim'))
  await using second = agentProcess(it.server.url, it.folder)
  second.start()
  await appears(() => /Cannot use the folder/.test(second.lines.join('')))
})

function placeIn(folder: string): string {
  const jobs = join(folder, 'jobs')
  const name = readdirSync(jobs).find((one) => readdirSync(join(jobs, one)).includes('job.json'))
  assert.ok(name)
  return join(jobs, name)
}

/** Looks every few milliseconds, as a file cannot tell by itself. */
async function appears(look: () => boolean, ms = 180_000): Promise<void> {
  const end = Date.now() + ms
  while (Date.now() < end) {
    try {
      if (look()) return
    } catch {
      // Not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('It did not appear')
}

test('of a job that is over the first thing to be removed is what says that there is one: a crash leaves no job without its steps', async () => {
  await using it = await stage()
  const go = join(it.folder, 'go')
  const spec = job([run(`echo started; while [ ! -e ${go} ]; do sleep 0.02; done`), run('echo second')])
  it.server.enqueue(spec)
  it.agent.start()
  await it.server.until(() => it.server.logOf(spec.id, 0).length > 0)
  const place = placeIn(it.folder)
  const changed: string[] = []
  using watching = new DisposableStack()
  const watcher = watch(place, (_, name) => changed.push(name ?? ''))
  watching.defer(() => watcher.close())
  writeFileSync(go, '')
  await it.server.finished(spec.id)
  await appears(() => !existsSync(place) && changed.includes('job.json'))
  const lastChange = (name: string) => changed.lastIndexOf(name)
  const gone = ['step-0.end.json', 'step-1.end.json', 'step-0.out', 'job.json'].filter((name) => changed.includes(name))
  assert.ok(gone.length > 1, changed.join(' '))
  assert.equal(gone.toSorted((a, b) => lastChange(a) - lastChange(b))[0], 'job.json', changed.join(' '))
})
