/*
 * Runs the tests: all of them, or those in the files, folders and patterns given.
 *
 *   npm test                          npm test -- src/core test/architecture.test.ts
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/postgres-server.ts'
import { buildProgram } from './program.mjs'
import { openScratch } from './scratch.ts'
import { groupsOf, testFilesIn } from './test-groups.ts'
import { runGroups } from './test-run.ts'

const root = join(import.meta.dirname, '..')
const limitMs = 10 * 60_000

/** What was left out, each once: tests write a line whenever they look for a part that is not here. */
function skippedLanes(record: string): readonly string[] {
  const lines = new Set(readFileSync(record, 'utf8').split('\n'))
  return [...lines].filter((line) => line !== '').map((line) => `lane skipped: ${line}`)
}

/** What was left out although it could be had: what the machine itself withholds is not. */
const missedLanes = (record: string) =>
  skippedLanes(record).filter((line) => !line.startsWith('lane skipped: withheld '))

process.chdir(root)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())

const patterns = process.argv.slice(2)
const files = testFilesIn(root, patterns)
if (files.length === 0) {
  console.error(`Cannot find tests: ${patterns.join(' ')}`)
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'roundhouse-test-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const record = join(folder, 'lanes')
writeFileSync(record, '')

const inMemory = openScratch()
if (inMemory !== undefined) {
  process.env['ROUNDHOUSE_TEST_SCRATCH'] = inMemory
  process.once('exit', () => rmSync(inMemory, { recursive: true, force: true, maxRetries: 5 }))
}
await using server = await startPostgres()
process.env['ROUNDHOUSE_TEST_POSTGRES'] = server.url
process.env['ROUNDHOUSE_TEST_LANES'] = record
// Tests start it some hundred times: put together first, it begins with a third of the processor time.
process.env['ROUNDHOUSE_TEST_PROGRAM'] = join(root, await buildProgram(process.execPath))
const notes = () => skippedLanes(record)
const passed = await runGroups({ root, groups: groupsOf(files), folder, limitMs, signal: stop.signal, notes })
// On a machine that is meant to run everything, a test that did not run is a test that failed.
const complete = process.env['CI'] !== 'true' || missedLanes(record).length === 0
process.exitCode = passed && complete ? 0 : 1
