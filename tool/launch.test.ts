import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

const tellArguments = 'console.log(JSON.stringify(process.argv.slice(2)))\n'

/** An env file that Node would refuse to start with, if it took it for its own. */
function withEnvFile() {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-launch-'))
  const file = join(folder, 'env')
  writeFileSync(file, 'NODE_OPTIONS=--no-such-flag\n')
  return { folder, args: ['run', '--env-file', file], [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

test('an env file is for the jobs of a run, and Node does not read it', () => {
  using it = withEnvFile()
  const program = join(it.folder, 'said.mjs')
  writeFileSync(program, tellArguments)
  const words = ['--', join(root, 'tool/launch.mjs'), relative(root, program), ...it.args]
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', timeout: 300_000 })
  assert.deepEqual([stdout, stderr], [`${JSON.stringify(it.args)}\n`, ''])
})

test('neither does the Node by which the command itself is found', () => {
  using it = withEnvFile()
  const [first] = readFileSync(join(root, 'tool/roundhouse.mjs'), 'utf8').split('\n')
  const command = join(it.folder, 'command.mjs')
  writeFileSync(command, `${first}\n${tellArguments}`, { mode: 0o755 })
  assert.equal(execFileSync(command, it.args, { encoding: 'utf8' }), `${JSON.stringify(it.args)}\n`)
})
