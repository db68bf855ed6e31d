import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { agentProcess } from '#agent/testing/agent-process.ts'
import { fakeServer } from '#agent/testing/fake-server.ts'
import { gitHost } from '#agent/testing/git-host.ts'
import { gitRepository, type TestRepository } from '#agent/testing/repository.ts'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld, tempFolder } from '#agent/testing/world.ts'

/* A checkout that is cut short: by the end of the agent, of the host, or of the job. */

const count = 10_000
let large: TestRepository
before(() => {
  large = gitRepository()
  for (let i = 0; i < count; i++) {
    if (i < 100) mkdirSync(join(large.path, 'many', String(i)), { recursive: true })
    writeFileSync(join(large.path, 'many', String(i % 100), `${i}`), `file ${i}\n`)
  }
  large.commit('many files', {})
})
after(() => large[Symbol.dispose]())

const look = run('git status --porcelain; git ls-files | wc -l; git fsck --connectivity-only')
const mirrors = { allowFiles: true }

async function stage() {
  const stack = new AsyncDisposableStack()
  const server = stack.use(await fakeServer())
  const folder = stack.use(tempFolder())
  const agent = stack.use(agentProcess(server.url, folder.path, { mirrors }))
  return { server, agent, folder: folder.path, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('an agent that is killed while it fetches, and while files are written, ends up with all of them', async () => {
  await using it = await stage()
  const spec = job([large.step(), look], { checkout: large.checkout() })
  it.server.enqueue(spec)
  for (const word of ['Fetching from remote', 'Checking out branch']) {
    it.agent.start()
    await it.server.until(() => it.server.logOf(spec.id, 0).includes(word))
    await it.agent.kill()
  }
  it.agent.start()
  const { outcome } = await it.server.finished(spec.id, 120_000)
  assert.equal(outcome, 'success', it.server.logOf(spec.id, 0).toString())
  assert.match(it.server.logOf(spec.id, 0).toString(), /The agent was started again: this step begins anew\n/)
  assert.equal(it.server.logOf(spec.id, 1).toString(), `${count + 3}\n`)
})

test('an agent that is killed in the middle of a fetch has a mirror as good as none, and the next one fills it', async () => {
  using origin = gitRepository()
  const asked = Promise.withResolvers<void>()
  let held = true
  const gate = Promise.withResolvers<'break'>()
  await using host = await gitHost(origin, async (file) => {
    if (!held || !file.startsWith('/objects/')) return 'serve'
    asked.resolve()
    return gate.promise
  })
  await using it = await stage()
  const spec = job([origin.step(), run('cat file')], { checkout: origin.checkout({ url: host.url }) })
  it.server.enqueue(spec)
  it.agent.start()
  await asked.promise
  await it.agent.kill()
  held = false
  gate.resolve('break')
  it.agent.start()
  const { outcome } = await it.server.finished(spec.id, 180_000)
  assert.equal(outcome, 'success', it.server.logOf(spec.id, 0).toString())
  assert.equal(it.server.logOf(spec.id, 1).toString(), 'two\n')
})

test('a host that goes away in the middle is asked again', async () => {
  using origin = gitRepository()
  let breaks = 2
  await using host = await gitHost(origin, async () => (breaks-- > 0 ? 'break' : 'serve'))
  await using it = await smallWorld()
  const { outcome, logs } = await it.play(
    job([origin.step(), run('cat file')], { checkout: origin.checkout({ url: host.url }) }),
    60_000,
  )
  assert.equal(outcome, 'success', logs[0])
  assert.match(logs[0]!, /Trying again\n[^]*Trying again\n[^]*HEAD is now at/)
})

test('a cancel ends a fetch, and whoever waits for the same mirror goes on', async () => {
  using origin = gitRepository()
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<'serve'>()
  let held = true
  await using host = await gitHost(origin, async (file) => {
    if (!held || !file.startsWith('/objects/')) return 'serve'
    asked.resolve()
    return gate.promise
  })
  await using it = await smallWorld()
  const spec = () => job([origin.step(), run('cat file')], { checkout: origin.checkout({ url: host.url }) })
  const [canceled, waiting] = [spec(), spec()]
  const first = it.play(canceled, 180_000)
  await asked.promise
  const second = it.play(waiting, 180_000)
  held = false
  it.server.change(canceled.id, { canceled: true })
  assert.equal((await first).outcome, 'canceled')
  const { outcome, logs } = await second
  assert.deepEqual([outcome, logs[1]], ['success', 'two\n'], logs[0])
  gate.resolve('serve')
})

test('whoever waits for a mirror can be canceled', async () => {
  using origin = gitRepository()
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<'serve'>()
  await using host = await gitHost(origin, async (file) => {
    if (!file.startsWith('/objects/')) return 'serve'
    asked.resolve()
    return gate.promise
  })
  await using it = await smallWorld()
  const spec = () => job([origin.step(), run('cat file')], { checkout: origin.checkout({ url: host.url }) })
  const first = it.play(spec(), 180_000)
  await asked.promise
  const waiting = spec()
  const second = it.play(waiting, 180_000)
  await it.server.until(() => it.server.logOf(waiting.id, 0).includes('Cloning'))
  it.server.change(waiting.id, { canceled: true })
  assert.equal((await second).outcome, 'canceled')
  gate.resolve('serve')
  assert.equal((await first).outcome, 'success')
})

test('a cancel while many files are written leaves nothing running and nothing behind', async () => {
  await using it = await smallWorld({}, { mirrors })
  const spec = job([large.step(), look], { checkout: large.checkout() })
  const played = it.play(spec, 180_000)
  await it.server.until(() => it.server.logOf(spec.id, 0).includes('Checking out branch'))
  it.server.change(spec.id, { canceled: true })
  assert.equal((await played).outcome, 'canceled')
  assert.deepEqual(await it.drained(), [])
  const left = readdirSync(join(it.folder, 'mirrors'))
  assert.equal(left.length, 1)
})
