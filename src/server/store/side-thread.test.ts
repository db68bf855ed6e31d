import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { givenProject } from '#test/given.ts'
import { smallWorld } from '#test/world.ts'
import { insertRunFact } from './facts.ts'
import { sideThread, sideThreadOf } from './side-thread.ts'

const program = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`)
const echo = `import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ id, question }) => parentPort.postMessage({ id, value: question }))`

test('a thread that fails tells whoever waits, and the next question starts another one', async () => {
  await using it = await smallWorld('sqlite')
  const thread = sideThreadOf(it.world.db)
  assert.ok(thread)
  await assert.rejects(thread.ask(program("throw new Error('not today')"), 1), /not today/)
  await assert.rejects(thread.ask(program('process.exit(3)'), 1), /ended with 3/)
  assert.deepEqual(await Promise.all([1, 2, 3].map((number) => thread.ask(program(echo), { number }))), [
    { number: 1 },
    { number: 2 },
    { number: 3 },
  ])
})

test('a thread is closed while its answer is on the way, and the process goes on', () => {
  const script = `
    import { sideThread } from ${JSON.stringify(import.meta.resolve('./side-thread.ts'))}
    const thread = sideThread({})
    const echo = new URL(${JSON.stringify(program(echo).href)})
    await thread.ask(echo, 1)
    const late = thread.ask(echo, 2).catch((error) => error.message)
    // Nothing is heard meanwhile: the answer is there when it is closed.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    await thread.close()
    console.log(await late)`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  assert.deepEqual(
    { status, stdout, stderr },
    { status: 0, stdout: 'Cannot answer: the thread beside us was closed\n', stderr: '' },
  )
})

test('a question that comes while an idle thread is being ended goes to another one', async () => {
  const thread = sideThread({}, { idleMs: 1 })
  try {
    assert.equal(await thread.ask(program(echo), 1), 1)
    // Its time and ours come in the same turn, its own first.
    const asked = wait(1).then(() => thread.ask(program(echo), 2))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    assert.equal(await asked, 2)
  } finally {
    await thread.close()
  }
})

test('much is answered by the thread as little is here, with what was just written', async () => {
  await using it = await smallWorld('sqlite')
  const project = (await givenProject(it)).id
  const now = Date.parse(it.world.now())
  const tell = async (from: number, to: number) =>
    it.world.db.transaction().execute(async (tx) => {
      for (let i = from; i < to; i += 1) {
        const told = { branch: i % 3 === 0 ? 'side' : 'main', status: i % 5 === 0 ? 'failed' : 'success' }
        const fact = { project_id: project, name: 'main', started: now - i * 1_000, id: it.world.newId() }
        await insertRunFact(tx, { ...fact, ...told, duration: 1_000 * i, credits: i })
      }
    })
  const ask = async () => {
    const summary = await it.app.insights.ask('projectSummary', project, 'last-30-days')
    const [workflow] = (await it.app.insights.ask('workflowMetrics', project, new Set(['main']), 'last-30-days')).items
    return {
      total: summary.whole.metrics.total,
      branches: summary.branches.length,
      p95: workflow?.metrics.durations.p95,
    }
  }
  await tell(0, 1_000)
  assert.deepEqual(await ask(), { total: 1_000, branches: 2, p95: 948 })
  await tell(1_000, 1_200)
  assert.deepEqual(await ask(), { total: 1_200, branches: 2, p95: 1_139 })
})
