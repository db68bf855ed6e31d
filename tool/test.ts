/*
 * Runs the tests: all of them, or those in the files, folders and patterns given.
 *
 *   npm test                          npm test -- src/core test/architecture.test.ts
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startPostgres } from '../test/postgres-server.ts'
import { type TestEvent, withNotes } from './notes.ts'

const root = join(import.meta.dirname, '..')
const fileTimeout = 10 * 60_000

/** A folder stands for the tests in it. */
function patternsOf(args: readonly string[]): readonly string[] {
  if (args.length === 0) return ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts', 'tool/**/*.test.ts']
  return args.map((arg) =>
    statSync(arg, { throwIfNoEntry: false })?.isDirectory() ? join(arg, '**/*.test.{ts,tsx}') : arg,
  )
}

/** What was left out, each once: tests write a line whenever they look for a part that is not here. */
function skippedLanes(record: string): readonly string[] {
  const lines = new Set(readFileSync(record, 'utf8').split('\n'))
  return [...lines].filter((line) => line !== '').map((line) => `lane skipped: ${line}`)
}

/** What was left out although it could be had: what the machine itself withholds is not. */
const missedLanes = (record: string) =>
  skippedLanes(record).filter((line) => !line.startsWith('lane skipped: withheld '))

/** The files that took longest: where to begin when the suite becomes slow. */
function slowest(times: ReadonlyMap<string, number>): string {
  const longest = [...times].toSorted((a, b) => b[1] - a[1]).slice(0, 12)
  const lines = longest.map(([file, ms]) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${relative(root, file)}`)
  return ['slowest files:', ...lines].join('\n')
}

async function runTests(args: readonly string[], record: string, signal: AbortSignal): Promise<boolean> {
  const events = run({
    cwd: root,
    globPatterns: [...patternsOf(args)],
    // Many tests wait, for processes, for disks, for time to pass: one more than there are processors keeps those busy.
    concurrency: availableParallelism() + 1,
    timeout: fileTimeout,
    signal,
  })
  let passed = false
  const times = new Map<string, number>()
  events.on('test:summary', ({ file, success, counts, duration_ms }) => {
    if (file === undefined) passed = success && counts.tests > 0
    else times.set(file, duration_ms)
  })
  const noted = (source: AsyncIterable<TestEvent>) => withNotes(source, () => skippedLanes(record))
  await pipeline(events, noted, new spec(), process.stdout, { end: false })
  console.log(slowest(times))
  return passed
}

process.chdir(root)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())

const folder = mkdtempSync(join(tmpdir(), 'roundhouse-test-'))
// Not `finally`: node:test ends the process by itself where a pattern matches nothing.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const record = join(folder, 'lanes')
writeFileSync(record, '')

await using server = await startPostgres()
process.env['ROUNDHOUSE_TEST_POSTGRES'] = server.url
process.env['ROUNDHOUSE_TEST_LANES'] = record
const passed = await runTests(process.argv.slice(2), record, stop.signal)
// On a machine that is meant to run everything, a test that did not run is a test that failed.
const complete = process.env['CI'] !== 'true' || missedLanes(record).length === 0
process.exitCode = passed && complete ? 0 : 1
