import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

/** A program in a folder whose name has a space, run by the launcher. */
function launched(program: string): Disposable & { readonly launcher: ChildProcess } {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse launch-'))
  const file = join(folder, 'program.ts')
  writeFileSync(file, program)
  const launcher = spawn(process.execPath, [join(root, 'tool/launch.mjs'), relative(root, file), 'one', 'two words'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { launcher, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

test('a program gets its arguments, and its exit code is kept', async () => {
  using it = launched('console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 7')
  const ended = once(it.launcher, 'exit')
  const [said] = await once(it.launcher.stdout!, 'data')
  assert.deepEqual(JSON.parse(String(said)), ['one', 'two words'])
  assert.deepEqual(await ended, [7, null])
})

test('a program is told of a signal, and may end as it likes', async () => {
  using it = launched(
    `process.once('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1000); console.log('ready')`,
  )
  const ended = once(it.launcher, 'exit')
  await once(it.launcher.stdout!, 'data')
  it.launcher.kill('SIGTERM')
  assert.deepEqual(await ended, [9, null])
})

test('a program that a signal ends makes the launcher end by it too', async () => {
  using it = launched(`setInterval(() => {}, 1000); console.log('ready')`)
  const ended = once(it.launcher, 'exit')
  await once(it.launcher.stdout!, 'data')
  it.launcher.kill('SIGTERM')
  assert.deepEqual(await ended, [null, 'SIGTERM'])
})
