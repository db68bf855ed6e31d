import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenProject } from '#test/given.ts'
import { smallWorld } from '#test/world.ts'
import { insertRunFact } from './facts.ts'
import { sideThreadOf } from './side-thread.ts'

const program = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`)

test('a thread that fails tells whoever waits, and the next question starts another one', async () => {
  await using it = await smallWorld('sqlite')
  const thread = sideThreadOf(it.world.db)
  assert.ok(thread)
  await assert.rejects(thread.ask(program("throw new Error('not today')"), 1), /not today/)
  await assert.rejects(thread.ask(program('process.exit(3)'), 1), /ended with 3/)
  const echo = `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ id, question }) => parentPort.postMessage({ id, value: question }))`
  assert.deepEqual(await Promise.all([1, 2, 3].map((number) => thread.ask(program(echo), { number }))), [
    { number: 1 },
    { number: 2 },
    { number: 3 },
  ])
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
