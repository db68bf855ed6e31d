import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openMirrors } from './checkout/mirrors.ts'
import { shellExecutor } from './executors/shell.ts'
import { markBegun, outFile } from './job-folder.ts'
import { runWork } from './run-work.ts'
import { openJob } from './server.ts'
import { stopSwitch } from './stop-switch.ts'
import { job, run } from './testing/specs.ts'
import { tempFolder } from './testing/world.ts'
import { openWire, Unreachable } from './wire.ts'
import { StepFailed } from '#agent/step-failed.ts'
import type { Work } from './works/work.ts'

async function stage() {
  const stack = new AsyncDisposableStack()
  const folder = stack.use(tempFolder())
  const spec = job([run('true')])
  const executor = shellExecutor(folder.path, 1, { tools: '/none', path: '/usr/bin:/bin' })
  stack.defer(() => executor.close())
  const place = await executor.prepare(spec)
  stack.defer(() => place.destroy())
  const wire = stack.use(openWire('http://127.0.0.1:9'))
  const stop = stopSwitch(place, 0)
  return {
    place,
    stop,
    async play(work: Work) {
      const server = openJob(wire, spec.id, spec.token)
      const end = await runWork({
        place,
        switch: stop,
        index: 0,
        job: spec,
        step: spec.steps[0]!,
        mask: (text) => text,
        server,
        mirrors: openMirrors({ folder: join(place.folder, 'mirrors'), mostBytes: 0 }),
        work,
        over: new AbortController().signal,
      })
      const log = readFileSync(outFile(place.folder, 0), { encoding: 'utf8', flag: 'a+' })
      assert.equal(end.outBytes, Buffer.byteLength(log))
      return [end.status, end.exit_code, log]
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('a step done by the agent ends as it says, and its words are its log', async () => {
  await using it = await stage()
  const work: Work = async ({ say }) => {
    say('Hello\n')
    return 'success'
  }
  assert.deepEqual(await it.play(work), ['success', 0, 'Hello\n'])
})

test('what lies in the job fails the step, anything else is a failure of ours; both are told', async () => {
  await using it = await stage()
  const failing = (error: Error): Work => {
    return async () => {
      throw error
    }
  }
  assert.deepEqual(await it.play(failing(new StepFailed('No such file: a'))), ['failed', 1, 'No such file: a\n'])
  const again = 'No such file: a\nThe agent was started again: this step begins anew\nno server\n'
  assert.deepEqual(await it.play(failing(new Unreachable('no server'))), ['infrastructure_fail', null, again])
})

test('a step that was begun by an agent now gone begins anew', async () => {
  await using it = await stage()
  markBegun(it.place.folder, 0)
  assert.deepEqual(await it.play(async () => 'success'), [
    'success',
    0,
    'The agent was started again: this step begins anew\n',
  ])
})

test('a cancel reaches a step done by the agent, and is how it ended', async () => {
  await using it = await stage()
  const ended = it.play(
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  it.stop.stop({ type: 'canceled' })
  assert.deepEqual(await ended, ['canceled', null, ''])
})
