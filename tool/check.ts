/*
 * The gate: types, lint, format, pages and tests, among which is the architecture.
 * Each part runs whatever became of the others, so that one look shows everything there is to mend.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './run.mjs'

type Part = readonly [name: string, ...command: readonly string[]]

const root = join(import.meta.dirname, '..')
const modules = join(root, 'node_modules')

const pages: Part = [
  'pages',
  join(modules, 'vite/bin/vite.js'),
  'build',
  '--config',
  'src/web/vite.config.ts',
  '--logLevel',
  'warn',
]
const tests: Part = ['tests', join(root, 'tool/test.ts')]
const readings: readonly Part[] = [
  // One checker: each of several looks at the same types again, 36 s of processor time against 22.
  ['types', join(modules, 'typescript/bin/tsc'), '-p', '.', '--checkers', '1'],
  ['lint', join(modules, 'oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'],
  ['format', join(modules, 'oxfmt/bin/oxfmt'), '--check'],
]

const failed: string[] = []

/** Answers whether it came to its end, good or bad, and was not stopped. */
async function runPart([name, ...command]: Part): Promise<boolean> {
  console.log(`── ${name}`)
  const { code, signal } = await run(process.execPath, command, { cwd: root })
  if (code !== 0) failed.push(name)
  return signal === null
}

/** What only reads the sources, one after the other. What each says is shown when it has ended, so that it stands together. */
async function read(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-check-'))
  try {
    for (const [name, ...command] of readings) {
      const said = join(folder, name)
      const file = openSync(said, 'w')
      const { code, signal } = await run(process.execPath, command, { cwd: root, stdio: ['ignore', file, file] })
      closeSync(file)
      console.log(`── ${name} (${code === 0 ? 'well' : 'failed'})\n${readFileSync(said, 'utf8').trimEnd()}`)
      if (code !== 0) failed.push(name)
      if (signal !== null) return
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Tests look at the pages. They wait now and then, for time to pass and for each other: then the rest is done. */
async function look(): Promise<void> {
  if (await runPart(pages)) await runPart(tests)
}

await Promise.all([look(), read()])

if (failed.length > 0) {
  console.error(`Check failed: ${failed.join(', ')}`)
  process.exitCode = 1
}
