import assert from 'node:assert/strict'
import { buffer, text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { after, before, suite, test } from 'node:test'
import { dockerExecutor, type DockerOptions } from '#agent/executors/docker/docker.ts'
import type { Place } from '#agent/executors/executor.ts'
import { StepFailed } from '#agent/step-failed.ts'
import { job } from '#agent/testing/specs.ts'
import { keyOf } from '#agent/works/cache-key.ts'
import { tempFolder } from '#agent/testing/world.ts'
import type { JobSpec, StepSpec } from '#contract/agent.ts'
import { lane } from '#test/lanes.ts'
import { bare, busybox, remote, startEngine, type TestEngine } from './engine.ts'

const always = new AbortController().signal
const setup: StepSpec = { type: 'setup_remote_docker', name: 'x', when: 'always', docker_layer_caching: false }

suite('the files of a container', { skip: lane('docker').reason }, () => {
  let engine: TestEngine
  before(async () => {
    engine = await startEngine()
  })
  after(() => engine[Symbol.asyncDispose]())

  async function place(image: string, more: Partial<DockerOptions> = {}, user = '0') {
    const stack = new AsyncDisposableStack()
    const folder = stack.use(tempFolder())
    const tools = stack.use(tempFolder())
    const executor = dockerExecutor(folder.path, tools.path, { address: engine.address, ...more })
    stack.defer(() => executor.close())
    const spec: JobSpec = job([setup], {
      executor: { type: 'docker', images: [{ image, environment: {}, user }] },
    })
    const made = await executor.prepare(spec)
    stack.defer(() => made.destroy())
    await made.makeReady(() => {}, always)
    return { place: made, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  }

  async function sh(at: Place, step: number, script: string): Promise<number | string> {
    const { environment } = at
    await at.start({ step, attempt: 0, script, shell: ['/bin/sh'], directory: '/work', environment, background: false })
    const exit = await at.wait(step, 0, always)
    return exit.type === 'exited' ? exit.code : exit.type
  }

  const tree =
    'mkdir -p src/.hidden; echo a >src/a.txt; echo b >src/b.log; echo c >src/.hidden/c; echo o >./-rf; ln -s a.txt src/link'

  test('are found by patterns, hidden ones only where a dot is written', async () => {
    await using it = await place(busybox)
    await sh(it.place, 0, tree)
    const find = (...patterns: string[]) => it.place.files.find('/work', patterns)
    assert.deepEqual(await find('src'), ['src'])
    assert.deepEqual(await find('src/*.txt', 'src/a.txt', 'nothing'), ['src/a.txt'])
    assert.deepEqual(await find('src/*'), ['src/a.txt', 'src/b.log', 'src/link'])
    assert.deepEqual(await find('**/*.log', '-rf'), ['-rf', 'src/b.log'])
    assert.deepEqual(await find('src/.h*'), ['src/.hidden'])
    assert.deepEqual(await it.place.files.find('/none', ['*']), [])
  })

  for (const image of [busybox, bare]) {
    test(`are packed and unpacked as they were, with what ${image} has`, async () => {
      await using from = await place(busybox)
      await using to = await place(image)
      await sh(from.place, 0, tree)
      const archive = await buffer(from.place.files.pack('/work', ['src', '-rf', '/work/src/a.txt']))
      await to.place.files.unpack('/new/folder', Readable.from([archive]))
      const look =
        'cd /new/folder; read -r a <src/a.txt; read -r o <./-rf; read -r l <src/link; read -r c <src/.hidden/c; echo $a$o$l$c'
      assert.equal(await sh(to.place, 0, `${look}; [ -f work/src/a.txt ] && [ $a$o$l$c = aoac ]`), 0)
      const again = await buffer(to.place.files.pack('/new/folder', ['src/a.txt']))
      assert.ok(again.includes('src/a.txt'))
      assert.deepEqual(await to.place.files.find('/new/folder', ['src/*.txt']), ['src/a.txt'])
    })
  }

  test('that cannot be packed or unpacked are an error, not a hang', async () => {
    await using it = await place(busybox)
    await assert.rejects(buffer(it.place.files.pack('/', ['not-there'])), /not-there/)
    await assert.rejects(it.place.files.unpack('/x', Readable.from([Buffer.alloc(700, 'x')])))
    const broken = new Readable({
      read() {
        this.destroy(new Error('The line went dead'))
      },
    })
    await assert.rejects(it.place.files.unpack('/x', broken), /The line went dead/)
  })

  test('that a key of a cache names and that are not there are told by their paths', async () => {
    await using it = await place(busybox)
    await assert.rejects(keyOf('{{ checksum "none" }}', { place: it.place, job: job([]) }), {
      message: 'Cannot compute the cache key {{ checksum "none" }}: there is no file /root/project/none',
    })
  })

  test('that the user of the job may not read or write are the fault of the job', async () => {
    await using from = await place(busybox)
    await using it = await place(busybox, {}, 'ci')
    await sh(from.place, 0, 'echo x >x')
    const archive = await buffer(from.place.files.pack('/work', ['x']))
    await assert.rejects(it.place.files.unpack('/opt/app', Readable.from([archive])), StepFailed)
    await assert.rejects(it.place.files.unpack('/etc/passwd', Readable.from([archive])), StepFailed)
  })

  test('of a job with a docker engine of its own hold none of ours', { skip: lane('privileged').reason }, async () => {
    await using it = await place(busybox, { remoteDocker: { type: 'image', image: remote } })
    const said: string[] = []
    await it.place.giveEngine((text) => void said.push(text), always)
    assert.equal(it.place.environment['DOCKER_HOST'], 'tcp://127.0.0.1:2375')
    assert.match(said.join(''), /The docker engine is ready\n$/)
    assert.equal(await sh(it.place, 0, '[ "$(nc 127.0.0.1 2375)" = engine ]'), 0)
  })

  test('are seen by whoever comes into the job with a terminal, and hanging up ends it', async () => {
    await using it = await place(busybox)
    await sh(it.place, 0, 'echo found >file')
    const wish = { directory: '/work', environment: it.place.environment }
    const plain = await it.place.terminal!({ ...wish, command: 'cat file; echo wrong >&2; exit 5' })
    const said = [await text(plain.output), await text(plain.errors), await plain.exited]
    assert.deepEqual(said, ['found\n', 'wrong\n', 5])
    const shown = await it.place.terminal!({ ...wish, screen: { rows: 24, columns: 80 } })
    shown.input.write('cat file; exit 6\n')
    assert.match(await text(shown.output), /found\r\n/)
    assert.equal(await shown.exited, 6)
    const left = await it.place.terminal!({ ...wish, command: 'sleep 1000', screen: { rows: 24, columns: 80 } })
    left.hangUp()
    assert.notEqual(await left.exited, 0)
  })

  test('reach the engine of the agent only where that is allowed, whoever the user is', async () => {
    await using closed = await place(busybox)
    await assert.rejects(
      closed.place.giveEngine(() => {}, always),
      /has not allowed it/,
    )
    assert.equal(await sh(closed.place, 0, '[ -e /roundhouse/docker.sock ]'), 1)
    await using open = await place(busybox, { remoteDocker: { type: 'engine' } }, 'ci')
    await open.place.giveEngine(() => {}, always)
    assert.equal(open.place.environment['DOCKER_HOST'], 'unix:///roundhouse/docker.sock')
    assert.match(
      engine.docker('inspect', `roundhouse-${open.place.folder.split('/').at(-1)}`),
      /"GroupAdd": \[\s*"\d+"/,
    )
  })
})
