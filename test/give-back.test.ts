import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** Holds much for a while, lets go of it, and says by how many megabytes it became smaller while nothing went on. */
const program = `
import { giveBackWhenIdle } from ${JSON.stringify(join(import.meta.dirname, '../bin/give-back.ts'))}
let held = Array.from({ length: 600_000 }, (_, i) => ({ i, text: 'x' + i }))
giveBackWhenIdle()
const before = process.memoryUsage.rss()
held = held.length
const deadline = Date.now() + 60_000
const timer = setInterval(() => {
  const freed = Math.round((before - process.memoryUsage.rss()) / 1e6)
  if (freed < 20 && Date.now() < deadline) return
  console.log(freed)
  clearInterval(timer)
}, 100)`

const freed = async (...flags: string[]) => {
  const words = [...flags, '--input-type=module', '-e', program]
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 90_000 })
  return Number(stdout)
}

test('memory goes back to the machine when nothing goes on', async () => {
  assert.ok((await freed('--expose-gc')) >= 20)
})
