import assert from 'node:assert/strict'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '#agent/testing/world.ts'
import { closedDoors } from './closed-doors.ts'

/** What is said about one folder and what is in it. */
const about = (words: readonly string[], folder: string) => words.slice(words.indexOf(folder) - 1)

test('the folder of a socket is made anew of all that is in it but the socket, there or not', () => {
  using temp = tempFolder()
  const folder = realpathSync(temp.path)
  const at = (name: string) => join(folder, name)
  mkdirSync(at('data'))
  symlinkSync('data', at('link'))
  const data = `--ro-bind-try ${at('data')} ${at('data')}`
  const made = `--tmpfs ${folder} ${data} --symlink data ${at('link')} --remount-ro ${folder}`
  for (const isThere of [false, true]) {
    if (isThere) writeFileSync(at('engine.sock'), '')
    assert.equal(about(closedDoors(at('engine.sock'), []), folder).join(' '), made)
  }
})

test('a folder of which a job has its own is left alone, and of one that is too full only the socket is covered', () => {
  using temp = tempFolder()
  const folder = realpathSync(temp.path)
  const path = join(folder, 'engine.sock')
  assert.equal(closedDoors(path, [folder]).includes(folder), false)
  for (let i = 0; i < 301; i++) writeFileSync(join(folder, String(i)), '')
  assert.equal(closedDoors(path, []).includes(path), false)
  writeFileSync(path, '')
  assert.deepEqual(closedDoors(path, []).slice(-3), ['--ro-bind', '/dev/null', path])
})
