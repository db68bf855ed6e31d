import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { after, before, suite, test } from 'node:test'
import type { RemoteDocker } from '#agent/executors/docker/dock.ts'
import { startOf } from '#agent/executors/processes.ts'
import { agentProcess } from '#agent/testing/agent-process.ts'
import { fakeServer } from '#agent/testing/fake-server.ts'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld, tempFolder } from '#agent/testing/world.ts'
import type { StepSpec } from '#contract/agent.ts'
import { pause } from '#kit/backoff.ts'
import { lane } from '#test/lanes.ts'
import { startEngine, type TestEngine } from './engine.ts'
import { importPrograms } from './machine-image.ts'

const withDocker = 'roundhouse-test/docker:1'
const spinUp: StepSpec = { type: 'spin_up', name: 'Spin up environment', when: 'always' }
const setup: StepSpec = { type: 'setup_remote_docker', name: 'x', when: 'on_success', docker_layer_caching: false }
// In the network of this machine it would take away the bridge of the engine that the tests have.
const own: RemoteDocker = {
  type: 'command',
  command: ['unshare', '--net', 'dockerd', '--bridge=none', '--iptables=false'],
}

const inDocker = (steps: readonly StepSpec[], user?: string) =>
  job([spinUp, ...steps], {
    executor: { type: 'docker', images: [{ image: withDocker, environment: {}, ...(user !== undefined && { user }) }] },
  })

/** Builds an image from nothing but the docker that is in this one. */
const build = run(
  'mkdir ctx; cp /bin/docker ctx/; printf "FROM scratch\\nCOPY docker /docker\\nENTRYPOINT [\\"/docker\\"]\\n" >ctx/Dockerfile;' +
    'DOCKER_BUILDKIT=0 docker build -t built ctx | tail -1; docker images --format "{{.Repository}}"',
)

suite('a docker engine for a job', { skip: lane('docker').reason }, () => {
  let engine: TestEngine
  before(async () => {
    engine = await startEngine()
    importPrograms(engine, withDocker, ['docker', 'tail'])
  })
  after(() => engine[Symbol.asyncDispose]())

  const world = (remoteDocker: RemoteDocker) => smallWorld({}, { docker: { address: engine.address, remoteDocker } })

  test('of its own builds images that nobody else sees, for any user, and is gone with the job', async () => {
    await using it = await world(own)
    const before = await engines()
    const steps = [run('docker ps 2>&1 || true'), { ...setup, version: '20.10.24' }, run('docker ps -a'), build]
    const { outcome, logs } = await it.play(inDocker(steps, 'ci'), 120_000)
    assert.equal(outcome, 'success', logs.join('\n'))
    assert.match(logs[1]!, /Cannot connect to the Docker daemon/)
    assert.match(logs[2]!, /20\.10\.24 is not looked at[^]*The docker engine \S+ is ready\n$/)
    assert.match(logs[3]!, /^CONTAINER ID .*\n$/)
    // Newer clients say first that this way of building is an old one.
    assert.match(logs[4]!, /(?:^|\n)Successfully tagged built:latest\nbuilt\n$/)
    assert.deepEqual(await it.drained(), [])
    assert.deepEqual([await engines(), engine.docker('images', '-q', 'built')], [before, ''])
  })

  test('that is the one of the agent shows what the agent runs', async () => {
    await using it = await world({ type: 'engine' })
    const { outcome, logs } = await it.play(
      inDocker([setup, run('echo $DOCKER_HOST; docker ps --format "{{.Image}}"')]),
      180_000,
    )
    assert.deepEqual([outcome, logs[2]], ['success', `unix:///roundhouse/docker.sock\n${withDocker}\n`], logs.join(''))
  })

  test('that cannot be started, or is not allowed, ends the job in words', async () => {
    await using broken = await world({ type: 'command', command: ['false'] })
    const gone = await broken.play(inDocker([setup, run('true')]), 180_000)
    assert.deepEqual([gone.outcome, gone.statuses[2]], ['infrastructure_fail', 'skipped'])
    assert.match(gone.logs[1]!, /The docker engine has ended by itself/)
    await using absent = await world({ type: 'command', command: ['/no/such/program'] })
    assert.match(
      (await absent.play(inDocker([setup]), 180_000)).logs[1]!,
      /ended by itself[^]*\/no\/such\/program.*not found/,
    )
    await using none = await world({ type: 'none' })
    const refused = await none.play(inDocker([setup, run('true')]), 180_000)
    assert.deepEqual([refused.outcome, refused.statuses[2]], ['failed', 'skipped'])
    assert.match(refused.logs[1]!, /has not allowed it/)
  })

  const moments = {
    'in the moment that it begins': '[ -e killed ] || { touch killed; kill -9 $PPID; }',
    'before it answers': 'touch begun; until [ -e go ]; do sleep 0.05; done',
  }
  for (const [moment, does] of Object.entries(moments)) {
    test(`is started once where the agent is killed ${moment}, and the steps after it have it`, async () => {
      await using server = await fakeServer()
      using folder = tempFolder()
      using notes = tempFolder()
      const before = await engines()
      const docker = { address: engine.address, remoteDocker: noted(notes.path, does) }
      await using agent = agentProcess(server.url, folder.path, { docker })
      const pid = agent.start()
      const spec = inDocker([setup, run('docker ps -a')])
      server.enqueue(spec)
      const isThere = (path: string) => (existsSync(path) ? true : undefined)
      if (moment === 'before it answers') await seen(() => isThere(`${notes.path}/begun`))
      else await seen(() => (startOf(pid) === undefined ? true : undefined))
      await agent.kill()
      agent.start()
      await server.until(() => server.logOf(spec.id, 1).includes('begins anew'), 120_000)
      await writeFile(`${notes.path}/go`, '')
      const { outcome } = await server.finished(spec.id, 240_000)
      const logs = [0, 1, 2].map((step) => server.logOf(spec.id, step).toString())
      assert.equal(outcome, 'success', logs.join(''))
      assert.match(logs[1]!, /The docker engine \S+ is ready\n$/)
      assert.match(logs[2]!, /^CONTAINER ID .*\n$/)
      assert.equal(await readFile(`${notes.path}/starts`, 'utf8'), 'start\n')
      await seen(async () => ((await engines()) === before ? true : undefined))
    })
  }

  test('that was just being started when the agent was killed and the job canceled is gone with it', async () => {
    await using server = await fakeServer()
    using folder = tempFolder()
    using notes = tempFolder()
    const docker = {
      address: engine.address,
      remoteDocker: noted(notes.path, 'echo $$ >begun; until [ -e go ]; do sleep 0.05; done'),
    }
    await using agent = agentProcess(server.url, folder.path, { docker })
    agent.start()
    const spec = inDocker([setup, run('true')])
    server.enqueue(spec)
    const pid = await seen(
      async () => Number(await readFile(`${notes.path}/begun`, 'utf8').catch(() => '')) || undefined,
    )
    await agent.kill()
    server.change(spec.id, { canceled: true })
    agent.start()
    assert.equal((await server.finished(spec.id, 240_000)).outcome, 'canceled')
    await seen(() => (startOf(pid) === undefined ? true : undefined))
  })

  test('goes on when the agent is killed, and is swept up when the job is lost with it', async () => {
    await using server = await fakeServer()
    using folder = tempFolder()
    const before = await engines()
    await using agent = agentProcess(server.url, folder.path, {
      docker: { address: engine.address, remoteDocker: own },
    })
    agent.start()
    const wait = run(
      'docker images -q; echo up; while [ ! -e /tmp/go ]; do sleep 0.1; done; docker images -q; echo done',
    )
    const spec = inDocker([setup, wait, run('docker ps')])
    server.enqueue(spec)
    await server.until(() => server.logOf(spec.id, 2).includes('up'), 120_000)
    await agent.kill()
    const [container = ''] = engine.docker('ps', '-q').trim().split('\n')
    engine.docker('exec', container, 'touch', '/tmp/go')
    agent.start()
    const { outcome } = await server.finished(spec.id, 180_000)
    assert.deepEqual([outcome, server.logOf(spec.id, 2).toString()], ['success', 'up\ndone\n'])

    const lost = inDocker([setup, run('echo up; sleep 1000')])
    server.enqueue(lost)
    await server.until(() => server.logOf(lost.id, 2).includes('up'), 120_000)
    await agent.kill()
    server.change(lost.id, { canceled: true })
    agent.start()
    await server.finished(lost.id, 120_000)
    for (let i = 0; i < 1800 && ((await engines()) > before || engine.docker('ps', '-aq') !== ''); i++) await pause(100)
    assert.deepEqual([await engines(), engine.docker('ps', '-aq')], [before, ''])
    for (let i = 0; i < 1800 && (await readdir(`${folder.path}/jobs`)).length > 2; i++) await pause(100)
    assert.equal(
      (await readdir(`${folder.path}/jobs`)).some((name) => existsSync(`${folder.path}/jobs/${name}/engine`)),
      false,
    )
  })
})

/** Looks now and then until there is something to see. */
async function seen<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 240_000; Date.now() < end; await pause(50)) {
    const found = await look()
    if (found !== undefined) return found
  }
  return assert.fail('It was not seen')
}

/** A command that notes each of its starts in a folder, does something there, and is then an engine. */
const noted = (folder: string, does: string): RemoteDocker => ({
  type: 'command',
  command: [
    '/bin/sh',
    '-c',
    `cd ${folder} && echo start >>starts && { ${does}; }; exec unshare --net dockerd --bridge=none --iptables=false "$@"`,
    'engine',
  ],
})

/** How many engines of jobs run on this machine. */
async function engines(): Promise<number> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(processes.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => /dockerd\0.*\/engine\/run\/docker\.sock/.test(line)).length
}
