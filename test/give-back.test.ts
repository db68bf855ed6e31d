import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const module = JSON.stringify(join(import.meta.dirname, '../bin/give-back.ts'))

/** Holds much for a while, lets go of it, and says by how many megabytes it became smaller while nothing went on. */
const idle = `
import { giveBackWhenIdle } from ${module}
let held = Array.from({ length: 600_000 }, (_, i) => ({ i, text: 'x' + i }))
giveBackWhenIdle()
const before = process.memoryUsage.rss()
held = held.length
const deadline = Date.now() + 120_000
const timer = setInterval(() => {
  const freed = Math.round((before - process.memoryUsage.rss()) / 1e6)
  if (freed < 20 && Date.now() < deadline) return
  console.log(freed)
  clearInterval(timer)
}, 100)`

/** Holds buffers until they are old, lets go of them, works on, and says how many megabytes of them were collected. */
const busy = `
import { collectOften } from ${module}
collectOften()
let held = []
setTimeout(() => {
  held = Array.from({ length: 100 }, () => Buffer.alloc(50_000, 1))
  globalThis.gc({ type: 'major', execution: 'sync' })
  const before = process.memoryUsage().arrayBuffers
  held = []
  const deadline = Date.now() + 120_000
  const work = setInterval(() => {
    for (let until = performance.now() + 5; performance.now() < until; );
    const freed = Math.round((before - process.memoryUsage().arrayBuffers) / 1e6)
    if (freed < 4 && Date.now() < deadline) return
    console.log(freed)
    clearInterval(work)
  }, 10)
}, 1_000)`

const freed = async (program: string) => {
  // V8 has ideas of its own of when nothing goes on; not here.
  const words = ['--expose-gc', '--no-memory-reducer', '--input-type=module', '-e', program]
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 300_000 })
  return Number(stdout)
}

test('memory goes back to the machine when nothing goes on', async () => {
  assert.ok((await freed(idle)) >= 20)
})

test('what was left outside of the heap is collected while work goes on', async () => {
  assert.ok((await freed(busy)) >= 4)
})
