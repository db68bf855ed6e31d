import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { job } from '#agent/testing/specs.ts'
import { tempFolder } from '#agent/testing/world.ts'
import type { Place } from './executor.ts'
import { startOf } from './processes.ts'
import { shellExecutor } from './shell.ts'

const linux = { skip: process.platform !== 'linux' }
const always = new AbortController().signal

function stage() {
  const stack = new AsyncDisposableStack()
  const folder = stack.use(tempFolder())
  const executor = shellExecutor(folder.path, 1, { tools: '/none', path: '/usr/bin:/bin' })
  stack.defer(() => executor.close())
  return { executor, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function sh(place: Place, step: number, script: string) {
  const environment = { HOME: place.home, PATH: '/usr/bin:/bin' }
  await place.start({
    step,
    attempt: 0,
    script,
    shell: ['/bin/sh'],
    directory: place.home,
    environment,
    background: false,
  })
  const exit = await place.wait(step, 0, always)
  return exit.type === 'exited' ? exit.code : exit.type
}
const outOf = (place: Place, step: number) => readFileSync(join(place.folder, `step-${step}.out`), 'utf8')
const leaderOf = (place: Place) =>
  JSON.parse(readFileSync(join(place.folder, 'supervisors.json'), 'utf8'))[0].pid as number

test('a supervisor serves the next job when nothing is left of the last one', linux, async () => {
  await using it = stage()
  await it.executor.probe()
  const first = await it.executor.prepare(job([]))
  assert.equal(await sh(first, 0, 'echo hello; exit 7'), 7)
  assert.equal(outOf(first, 0), 'hello\n\nExited with code exit status 7\n')
  const leader = leaderOf(first)
  await first.stop(0)
  await first.destroy()
  const second = await it.executor.prepare(job([]))
  assert.equal(leaderOf(second), leader)
  assert.equal(await sh(second, 0, 'pwd'), 0)
  assert.equal(outOf(second, 0), `${second.home}\n`)
  await second.destroy()
})

test('what a job leaves behind is killed, daemons too, and its supervisor with it', linux, async () => {
  await using it = stage()
  await it.executor.probe()
  const place = await it.executor.prepare(job([]))
  await sh(place, 0, 'sleep 100 & echo $!; setsid sleep 100 & echo $!')
  const leader = leaderOf(place)
  const left = outOf(place, 0).trim().split('\n').map(Number)
  assert.equal(left.map(startOf).filter(Boolean).length, 2)
  await place.stop(0)
  await place.destroy()
  assert.equal(existsSync(place.folder), false)
  const next = await it.executor.prepare(job([]))
  assert.notEqual(leaderOf(next), leader)
  await next.destroy()
  await next.destroy()
  const end = Date.now() + 180_000
  while (left.map(startOf).some(Boolean) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.deepEqual(left.map(startOf), [undefined, undefined])
})
