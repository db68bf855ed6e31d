import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { AgentOptions } from '#agent/agent.ts'
import { dockerExecutor } from '#agent/executors/docker/docker.ts'
import { agentProcess } from '#agent/testing/agent-process.ts'
import { fakeServer } from '#agent/testing/fake-server.ts'
import { inTime } from '#agent/testing/in-time.ts'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld, tempFolder } from '#agent/testing/world.ts'
import type { JobSpec, StepSpec } from '#contract/agent.ts'
import { pause } from '#kit/backoff.ts'
import { lane } from '#test/lanes.ts'
import { busybox, listener, startEngine, type TestEngine } from './engine.ts'
import { fakeRegistry } from './registry.ts'

type Images = Extract<JobSpec['executor'], { type: 'docker' }>['images']

const spinUp: StepSpec = { type: 'spin_up', name: 'Spin up environment', when: 'always' }
const inImages = (images: Images, steps: readonly StepSpec[], more: Partial<JobSpec> = {}) =>
  job([spinUp, ...steps], { executor: { type: 'docker', images }, ...more })
const inBusybox = (steps: readonly StepSpec[], more: Partial<JobSpec> = {}) =>
  inImages([{ image: busybox, environment: {} }], steps, more)

suite('docker', { skip: lane('docker').reason }, () => {
  let engine: TestEngine
  before(async () => {
    engine = await startEngine()
  })
  after(() => engine[Symbol.asyncDispose]())

  const world = (more: Partial<AgentOptions['docker'] & object> = {}) =>
    smallWorld({}, { docker: { address: engine.address, ...more } })
  const left = () => engine.docker('ps', '-aq')

  test('steps run in one container of the image, and nothing is left of it', async () => {
    await using it = await world()
    const steps = [
      run('id -u; pwd; echo $WORD; echo kept >/tmp/file; echo "export MORE=1" >>$BASH_ENV'),
      run('cat /tmp/file; exit 3', { environment: { WORD: 'step' } }),
      run('pwd; echo x >/mnt/ramdisk/x', { when: 'always', working_directory: '/new/folder' }),
      run('service step halt', { when: 'always' }),
      run('echo not reached', { when: 'always' }),
    ]
    const images = [{ image: busybox, environment: { WORD: 'image' } }]
    const { outcome, statuses, logs } = await it.play(inImages(images, steps), 180_000)
    assert.deepEqual(
      [outcome, ...statuses],
      ['failed', 'success', 'success', 'failed', 'success', 'success', 'skipped'],
    )
    assert.match(
      logs[0]!,
      /^Docker Engine Version: .*\nStarting container .*\n {2}image is cached as [^]*Time to create/,
    )
    assert.deepEqual(logs.slice(1), [
      '0\n/root/project\nimage\n',
      'kept\n\nExited with code exit status 3\n',
      '/new/folder\n',
      '',
      '',
    ])
    assert.deepEqual(await it.drained(), [])
    assert.equal(left(), '')
  })

  test('the user of an image has its own home, and may write where it must', async () => {
    await using it = await world()
    const steps = [run('id -u; echo $HOME; pwd; echo x >>$BASH_ENV; touch file && ls')]
    const ci = await it.play(inImages([{ image: busybox, user: 'ci', environment: {} }], steps), 180_000)
    assert.equal(ci.logs[1], '1000\n/home/ci\n/home/ci/project\nfile\n')
    const nobody = await it.play(inImages([{ image: busybox, user: '4711', environment: {} }], steps), 180_000)
    assert.equal(nobody.logs[1], '4711\n/roundhouse/job/home\n/roundhouse/job/home/project\nfile\n')
  })

  test('what a job puts in place of its files does not lead the agent elsewhere', async () => {
    await using it = await world()
    const steps = [
      run(
        'cd /roundhouse/job; ln -s /etc/hostname step-2.out; rm step-1.out; ln -s /etc/passwd step-1.out; echo hidden',
      ),
      run('echo second'),
      run('echo x >/roundhouse/steps/step-4.go-0 || echo closed; ls /roundhouse/job/.. | wc -l', { when: 'always' }),
    ]
    const { logs } = await it.play(inBusybox(steps), 180_000)
    assert.equal(logs[1], 'hidden\n')
    assert.equal(logs[2], 'second\n')
    assert.match(logs[3]!, /closed\n3\n$/)
  })

  test('services are reached as localhost and by name, and waited for', async () => {
    await using it = await world()
    const images = [
      { image: busybox, environment: {} },
      { image: listener, name: 'db', command: ['sh', '-c', 'sleep 1; nc -ll -p 8099 -e echo served'], environment: {} },
      { image: busybox, command: ['sh', '-c', 'echo bye; exit 4'], environment: {} },
    ]
    const { outcome, logs } = await it.play(inImages(images, [run('nc localhost 8099; nc db 8099')]), 180_000)
    assert.equal(logs[1], 'served\nserved\n')
    assert.match(logs[0]!, /Service roundhouse-test\/listener:1 listens on 8099\n/)
    assert.equal(outcome, 'success')
    assert.deepEqual(await it.drained(), [])
    assert.equal(left(), '')
  })

  test('an image with an entrypoint of the job keeps it, and steps run beside it', async () => {
    await using it = await world()
    const images = [{ image: busybox, entrypoint: ['sh', '-c', 'echo up >/tmp/up; exec sleep 1000'], environment: {} }]
    const { outcome, logs } = await it.play(
      inImages(images, [run('cat /tmp/up'), run('ps | grep -c "[s]leep"')]),
      180_000,
    )
    assert.deepEqual([outcome, ...logs.slice(1)], ['success', 'up\n', '1\n'])
  })

  test('an entrypoint that ends before the steps is the fault of the job, which is told what it said', async () => {
    await using it = await world()
    const entrypoint = ['sh', '-c', 'echo no licence was found >&2; exit 3']
    const images = [{ image: busybox, entrypoint, environment: {} }]
    const { outcome, statuses, logs } = await it.play(inImages(images, [run('echo not reached')]), 180_000)
    assert.deepEqual([outcome, ...statuses], ['failed', 'failed', 'skipped'])
    assert.match(logs[0]!, /^The container cannot run steps\. It ended with code 3\.[^]*no licence was found$/m)
  })

  test('a job that needs more memory than its class has ends with words that say so', async () => {
    await using it = await world({ limits: { tiny: { cpus: 1, memoryMiB: 32 } } })
    const eat = run('dd if=/dev/zero of=/dev/null bs=200M count=1')
    const { outcome, reason, codes, logs } = await it.play(inBusybox([eat], { resource_class: 'tiny' }), 180_000)
    assert.deepEqual([outcome, codes[1]], ['failed', 137])
    assert.match(reason ?? '', /^Out of memory: .* 32 MiB/)
    assert.match(logs[1]!, /Out of memory: /)
  })

  test('an image is pulled where it is missing, with credentials where it has some, and else the job fails in words', async () => {
    using folder = tempFolder()
    mkdirSync(`${folder.path}/bin`)
    execFileSync('cp', ['/bin/busybox', `${folder.path}/bin/sh`])
    const layer = execFileSync('tar', ['-c', '-C', folder.path, '-f', '-', '.'], { maxBuffer: 64 * 1024 * 1024 })
    const password = 'a-password-of-a-registry'
    await using registry = await fakeRegistry(layer)
    await using closed = await fakeRegistry(layer, password)
    await using it = await world()
    const from = (name: string, { host } = registry, more: object = {}) =>
      inImages([{ image: `${host}/${name}`, environment: {}, ...more }], [run('echo pulled')])
    const one = await it.play(from('one'), 180_000)
    assert.match(one.logs[0]!, /downloading 127.*\/one\n[^]*Pulling from one\n[^]*Status: Downloaded newer image/)
    assert.equal(one.logs[1], 'pulled\n')
    assert.match((await it.play(from('one'), 180_000)).logs[0]!, /image is cached/)

    const gone = await it.play(from('none'), 180_000)
    assert.deepEqual([gone.outcome, ...gone.statuses], ['failed', 'failed', 'skipped'])
    assert.match(gone.logs[0]!, /Error pulling image 127.*\/none: /)

    const shut = await it.play(from('one', closed), 180_000)
    assert.equal(shut.outcome, 'failed')
    const auth = { username: 'ci', password }
    const open = await it.play(from('one', closed, { auth }), 180_000)
    assert.deepEqual([open.outcome, open.logs[1]], ['success', 'pulled\n'], open.logs[0])
    assert.equal(open.logs[0]!.includes(password), false)

    await using own = await world({ pull: 'only-missing' })
    const wrong = { username: 'ci', password: 'of-yesterday' }
    const kept = await own.play(from('one', closed, { auth: wrong }), 60_000)
    assert.deepEqual([kept.outcome, kept.logs[1]], ['success', 'pulled\n'], kept.logs[0])
    assert.equal((await it.play(from('one', closed, { auth: wrong }), 60_000)).outcome, 'failed')

    const without_auth = 'they name HUB_PASSWORD, which the job does not have'
    const bare = await it.play(from('one', registry, { without_auth }), 180_000)
    assert.match(bare.logs[0]!, /without the credentials of 127.*\/one: they name HUB_PASSWORD[^]*image is cached/)
    assert.equal(bare.outcome, 'success')
  })

  test('what a killed agent left in the engine is swept up by the next one, and nothing of others', async () => {
    using folder = tempFolder()
    using tools = tempFolder()
    const mark = createHash('sha256').update(folder.path).digest('hex').slice(0, 16)
    const left = (agent: string, job: string) =>
      engine.docker(
        'run',
        '-d',
        '--label',
        `roundhouse.agent=${agent}`,
        '--label',
        `roundhouse.job=${job}`,
        busybox,
        'sleep',
        '1000',
      )
    const [gone, kept, foreign] = [left(mark, 'gone'), left(mark, 'kept'), left('other', 'gone')]
    mkdirSync(join(folder.path, 'kept'))
    const executor = dockerExecutor(folder.path, tools.path, { address: engine.address })
    assert.equal(await executor.probe(), undefined)
    const running = engine.docker('ps', '-q', '--no-trunc').split('\n')
    assert.deepEqual(
      [gone, kept, foreign].map((id) => running.includes(id.trim())),
      [false, true, true],
    )
    engine.docker('rm', '-f', kept.trim(), foreign.trim())
    await executor.close()
  })

  test('an engine that is started again ends the jobs in it, and the next ones run', async () => {
    await using it = await world()
    const spec = inBusybox([run('echo up; sleep 1000')])
    it.server.enqueue(spec)
    await it.server.until(() => it.server.logOf(spec.id, 1).includes('up'), 180_000)
    await engine.restart()
    const { outcome, reason } = await it.server.finished(spec.id, 120_000)
    assert.equal(outcome, 'infrastructure_fail')
    assert.match(reason ?? '', /container of the job/)
    assert.equal((await it.play(inBusybox([run('true')]), 180_000)).outcome, 'success')
  })

  test('a job goes on while its agent is killed, and the next agent reports it', async () => {
    await using server = await fakeServer()
    using folder = tempFolder()
    await using agent = agentProcess(server.url, folder.path, { docker: { address: engine.address } })
    agent.start()
    const spec = inBusybox([run('echo one; while [ ! -e /tmp/go ]; do sleep 0.1; done; echo two'), run('echo three')])
    server.enqueue(spec)
    await server.until(() => server.logOf(spec.id, 1).includes('one'), 180_000)
    const [container = ''] = left().trim().split('\n')
    await agent.kill()
    engine.docker('exec', container, 'touch', '/tmp/go')
    engine.docker('run', '-d', '--label', `roundhouse.agent=none`, busybox, 'sleep', '1000')
    agent.start()
    const { outcome } = await server.finished(spec.id, 180_000)
    assert.deepEqual(
      [outcome, server.logOf(spec.id, 1).toString(), server.logOf(spec.id, 2).toString()],
      ['success', 'one\ntwo\n', 'three\n'],
    )
    // What is another's stays.
    engine.docker(
      'rm',
      '-f',
      ...engine.docker('ps', '-aq', '--filter', 'label=roundhouse.agent=none').trim().split('\n'),
    )
  })

  test('a cancel waits for nobody who has ended, in the background or not', async () => {
    // Whoever waited for all of this would not be done in time.
    await using it = await smallWorld({}, { docker: { address: engine.address }, graceMs: 3_600_000 })
    const spec = inBusybox([run('sleep 1000', { background: true }), run('echo up; sleep 1000')])
    it.server.enqueue(spec)
    await it.server.until(() => it.server.logOf(spec.id, 2).includes('up'), 180_000)
    it.server.change(spec.id, { canceled: true })
    assert.equal((await it.server.finished(spec.id, 120_000)).outcome, 'canceled')
  })

  test('an agent that is to end at once does not wait for commands that were given time to clean up', async () => {
    const abandon = new AbortController()
    await using it = await smallWorld(
      {},
      { docker: { address: engine.address }, graceMs: 3_600_000, abandon: abandon.signal },
    )
    const spec = inBusybox([run('trap "echo asked" TERM; echo up; while :; do sleep 0.1; done')])
    it.server.enqueue(spec)
    await it.server.until(() => it.server.logOf(spec.id, 1).includes('up'), 60_000)
    it.server.change(spec.id, { canceled: true })
    await it.server.until(() => it.server.logOf(spec.id, 1).includes('asked'), 60_000)
    abandon.abort()
    const patience = new AbortController()
    const late = pause(60_000, patience.signal).then(() => 'late')
    const drained = await Promise.race([it.drained(), late])
    patience.abort()
    assert.deepEqual(drained, [])
    assert.equal(left(), '')
  })

  test('a cancel lets commands clean up, and ends what does not', async () => {
    const log = await inTime(1000, async (graceMs) => {
      await using it = await smallWorld({}, { docker: { address: engine.address }, graceMs })
      const spec = inBusybox([
        run('trap "" TERM; while :; do sleep 1000; done', { background: true }),
        run('trap "echo cleaned; exit 1" TERM; echo up; while :; do sleep 0.1; done'),
      ])
      it.server.enqueue(spec)
      await it.server.until(() => it.server.logOf(spec.id, 2).includes('up'), 180_000)
      it.server.change(spec.id, { canceled: true })
      assert.equal((await it.server.finished(spec.id, 180_000 + 2 * graceMs)).outcome, 'canceled')
      assert.deepEqual(await it.drained(), [])
      assert.equal(left(), '')
      // On a busy machine it may be ended before it could clean up.
      const said = it.server.logOf(spec.id, 2).toString()
      return said.includes('cleaned') ? said : undefined
    })
    assert.match(log, /up\n[^]*cleaned\n/)
  })
})
