import assert from 'node:assert/strict'
import { globSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { agentProcess } from '#agent/testing/agent-process.ts'
import { fakeServer } from '#agent/testing/fake-server.ts'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld, tempFolder } from '#agent/testing/world.ts'
import type { StepSpec } from '#contract/agent.ts'
import { lane } from '#test/lanes.ts'
import { busybox, startEngine, type TestEngine } from './engine.ts'

const always = { when: 'always' } as const
const spinUp: StepSpec = { type: 'spin_up', name: 'Spin up environment', ...always }
const service: StepSpec = { type: 'service', name: `Container ${busybox}`, ...always, service: 1, background: true }
const told: StepSpec = { type: 'prepare_environment', name: 'Preparing environment variables', ...always }
const images = (script: string) => [
  { image: busybox, environment: { OF_IMAGE: 'yes' } },
  { image: busybox, command: ['sh', '-c', script], environment: {} },
]
const beside = (script: string, steps: readonly StepSpec[], more = {}) =>
  job([spinUp, service, ...steps], { executor: { type: 'docker', images: images(script) }, ...more })

suite('steps before the first of a docker job', { skip: lane('docker').reason }, () => {
  let engine: TestEngine
  before(async () => {
    engine = await startEngine()
  })
  after(() => engine[Symbol.asyncDispose]())

  test('a service shows what it prints while the job runs, and ends with it', async () => {
    await using it = await smallWorld({}, { docker: { address: engine.address } })
    // The step ends when the service has said all of it, and listens.
    const heard = run('until nc localhost 8099; do sleep 0.1; done >/dev/null 2>&1; echo done')
    const spec = beside('echo one; sleep 1; echo two >&2; exec nc -ll -p 8099 -e echo served', [heard])
    const { outcome, statuses, logs } = await it.play(spec, 180_000)
    assert.deepEqual([outcome, ...statuses], ['success', 'success', 'success', 'success'])
    assert.deepEqual(logs.slice(1), ['one\ntwo\n', 'done\n'])
  })

  test('a service that ends says so and fails nothing, and one of a canceled job is canceled', async () => {
    await using it = await smallWorld({}, { docker: { address: engine.address } })
    const ends = beside('echo bye; exit 4', [run('while [ ! -e /tmp/end ]; do sleep 0.1; done')])
    const earlier = engine.docker('ps', '-q').split('\n')
    it.server.enqueue(ends)
    const log = () => it.server.logOf(ends.id, 1).toString()
    await it.server.until(() => log().includes('has ended'), 180_000)
    for (const one of engine.docker('ps', '-q').split('\n'))
      if (!earlier.includes(one)) engine.docker('exec', one, 'touch', '/tmp/end')
    const { outcome } = await it.server.finished(ends.id, 180_000)
    assert.deepEqual([outcome, log()], ['success', 'bye\nThe container has ended with code 4\n'])
    const spec = beside('echo up; exec sleep 1000', [run('echo up; sleep 1000')])
    it.server.enqueue(spec)
    await it.server.until(() => [1, 2].every((step) => it.server.logOf(spec.id, step).includes('up')), 180_000)
    it.server.change(spec.id, { canceled: true })
    assert.equal((await it.server.finished(spec.id, 180_000)).outcome, 'canceled')
    assert.deepEqual(await it.drained(), [])
    assert.equal(engine.docker('ps', '-aq'), '')
  })

  test('what a service had printed when the job is over is shown, however short the job was', async () => {
    await using it = await smallWorld({}, { docker: { address: engine.address } })
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i}\n`).join('')
    const spec = beside(`printf '${lines.replaceAll('\n', '\\n')}'; exec nc -ll -p 7001 -e echo up`, [
      run('until nc localhost 7001; do :; done'),
    ])
    const { outcome, logs } = await it.play(spec, 180_000)
    assert.deepEqual([outcome, logs[1]], ['success', lines])
  })

  test('a service that runs out of memory says so, and fails nothing', async () => {
    const limits = { tiny: { cpus: 1, memoryMiB: 32 } }
    await using it = await smallWorld({}, { docker: { address: engine.address, limits } })
    const spec = beside(
      'exec dd if=/dev/zero of=/dev/null bs=200M count=1',
      [run('while [ ! -e /tmp/end ]; do sleep 0.1; done')],
      { resource_class: 'tiny' },
    )
    it.server.enqueue(spec)
    await it.server.until(() => it.server.logOf(spec.id, 1).includes('MiB'), 180_000)
    assert.match(
      it.server.logOf(spec.id, 1).toString(),
      /^The container has ended with code 137\nOut of memory: .* 32 MiB/,
    )
    const [container = ''] = engine.docker('ps', '-q').trim().split('\n')
    engine.docker('exec', container, 'touch', '/tmp/end')
    assert.equal((await it.server.finished(spec.id, 180_000)).outcome, 'success')
  })

  test('a service is followed on by the next process of the agent, without a line twice', async () => {
    await using server = await fakeServer()
    using folder = tempFolder()
    await using agent = agentProcess(server.url, folder.path, { docker: { address: engine.address } })
    agent.start()
    const wait = (file: string) => `while [ ! -e /tmp/${file} ]; do sleep 0.1; done`
    const spec = beside(`echo one; ${wait('go')}; echo two; exec sleep 1000`, [run(`${wait('end')}; echo done`)])
    server.enqueue(spec)
    await server.until(() => server.logOf(spec.id, 1).includes('one'), 180_000)
    await agent.kill()
    const named = (part: string) => engine.docker('ps', '-q', '--filter', `name=${part}`).trim()
    const all = engine.docker('ps', '-q').trim().split('\n')
    const other = named('-1$')
    engine.docker('exec', other, 'touch', '/tmp/go')
    agent.start()
    await server.until(() => server.logOf(spec.id, 1).includes('two'), 180_000)
    for (const one of all) if (!one.startsWith(other)) engine.docker('exec', one, 'touch', '/tmp/end')
    assert.equal((await server.finished(spec.id, 180_000)).outcome, 'success')
    assert.equal(server.logOf(spec.id, 1).toString(), 'one\ntwo\n')
  })

  test('a service that prints all the time loses no line and doubles none over the deaths of its agent', async () => {
    await using server = await fakeServer()
    using folder = tempFolder()
    await using agent = agentProcess(server.url, folder.path, { docker: { address: engine.address } })
    const printing =
      'while [ ! -e /tmp/stop ]; do i=$((i + 1)); echo "line $i"; [ $((i % 50)) -ne 0 ] || sleep 0.2; done'
    const spec = beside(`i=0; ${printing}; echo "end $i"; exec sleep 1000`, [
      run('while [ ! -e /tmp/end ]; do sleep 0.1; done'),
    ])
    server.enqueue(spec)
    // What the agents of other tests have left is none of ours.
    const running = (...words: string[]) =>
      engine
        .docker('ps', '-q', ...words)
        .split('\n')
        .filter(Boolean)
    const earlier = running()
    const ours = (...words: string[]) => running(...words).filter((id) => !earlier.includes(id))
    const log = () => server.logOf(spec.id, 1).toString()
    for (const deaths of [1, 2]) {
      const before = log().length
      agent.start()
      await server.until(() => log().length > before + 500 * deaths, 180_000)
      await agent.kill()
      // As if it had been slow to write: when it did so says nothing of what was printed by then.
      const late = new Date(Date.now() + 1000)
      for (const out of globSync(join(folder.path, 'jobs/*/step-1.out'))) utimesSync(out, late, late)
    }
    const services = ours('--filter', 'name=-1$')
    for (const one of services) engine.docker('exec', one, 'touch', '/tmp/stop')
    agent.start()
    await server.until(() => log().includes('end '), 180_000)
    for (const one of ours()) if (!services.includes(one)) engine.docker('exec', one, 'touch', '/tmp/end')
    assert.equal((await server.finished(spec.id, 180_000)).outcome, 'success')
    const count = Number(/^end (\d+)$/m.exec(log())?.[1])
    assert.equal(log(), Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('') + `end ${count}\n`)
  })

  test('the variables of a job are told: values of those of the service, names of the secrets', async () => {
    await using it = await smallWorld({}, { docker: { address: engine.address } })
    const environment = { CI: 'true', LINES: 'a\nb', TOKEN: 'a-secret-of-the-project', SHORT: 'xyz' }
    const executor = { type: 'docker' as const, images: images('true').slice(0, 1) }
    const secrets = ['a-secret-of-the-project', 'xyz']
    const { logs } = await it.play(job([spinUp, told, run('echo $TOKEN')], { executor, environment, secrets }), 180_000)
    assert.match(logs[1]!, /^Using build environment variables:\n {2}BASH_ENV=\S+\n {2}CI=true\n/)
    assert.match(logs[1]!, /\n {2}LINES=a\\nb\n(.*\n)* {2}OF_IMAGE=yes\n/)
    assert.match(
      logs[1]!,
      /\n\nUsing environment variables from project settings and\/or contexts:\n {2}SHORT=\*\*REDACTED\*\*\n {2}TOKEN=\*\*REDACTED\*\*\n\nThe redacted variables listed above will be masked in run step output\.\n$/,
    )
    assert.equal(/secret-of|xyz/.test(logs[1]!), false)
    assert.equal(logs[2], '****\n')
  })
})
