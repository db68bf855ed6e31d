import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { type TestEvent, withNotes } from './notes.ts'
import type { Group } from './test-groups.ts'
import { type OneTest, openRecord } from './test-record.ts'

/** A run of tests: of which, and where. */
export interface TestRun {
  /** What the files are relative to. */
  readonly root: string
  readonly groups: readonly Group[]
  /** For files of the run itself. */
  readonly folder: string
  /** What one test may take, and all those of one process. */
  readonly limitMs: number
  readonly signal: AbortSignal
  /** What is said before the closing lines. */
  readonly notes: () => readonly string[]
}

/** Runs groups of test files, each in a process of its own, and says what came of it. Answers whether all is well. */
export async function runGroups({ root, groups, folder, limitMs, signal, notes }: TestRun): Promise<boolean> {
  const entries = new Map(groups.map((group, place) => [entryOf(group, place, root, folder), group]))
  const times = join(folder, 'times')
  writeFileSync(times, '')
  const events = run({
    cwd: root,
    files: [...entries.keys()],
    // Many tests wait, for processes, for disks, for time to pass: two more than there are processors keep those busy.
    concurrency: availableParallelism() + 2,
    timeout: limitMs,
    execArgv: ['--import', import.meta.resolve('./test-limit.mjs')],
    env: { ...process.env, ROUNDHOUSE_TEST_LIMIT: String(limitMs), ROUNDHOUSE_TEST_TIMES: times },
    signal,
  })
  const record = openRecord()
  let passed = false
  const failed = new Set<string>()
  events.on('test:enqueue', (test: OneTest) => record.begun(test))
  events.on('test:complete', (test: OneTest) => record.ended(test))
  events.on('test:summary', ({ file, success, counts }) => {
    if (file === undefined) passed = success && counts.tests > 0
  })
  events.on('test:fail', ({ name, nesting }) => void (nesting === 0 && entries.has(name) && failed.add(name)))
  await pipeline(events, (source: AsyncIterable<TestEvent>) => withNotes(source, notes), new spec(), process.stdout, {
    end: false,
  })
  for (const entry of failed)
    console.log(`${basename(entry)} is the process of ${entries.get(entry)!.files.join(', ')}`)
  const unheardOf = record.unheardOf(groups.flatMap(({ files }) => files).map((file) => join(root, file)))
  for (const test of unheardOf) console.log(`not run to its end: ${relative(root, test)}`)
  console.log(slowest(root, record.times))
  console.log(busiest(entries, readFileSync(times, 'utf8')))
  return passed && unheardOf.length === 0
}

/** What a process is started with: its only file, or one that loads all of them before the first test begins. */
function entryOf({ name, files }: Group, place: number, root: string, folder: string): string {
  const [first, ...others] = files.map((file) => join(root, file))
  if (first !== undefined && others.length === 0) return first
  const entry = join(folder, `${place + 1}-${name.replaceAll(/[^a-z0-9]+/g, '-')}.mjs`)
  const imports = files.map((file) => `import ${JSON.stringify(pathToFileURL(join(root, file)).href)}\n`)
  writeFileSync(entry, imports.join(''))
  return entry
}

/** The files that took longest: where to begin when the suite becomes slow. */
function slowest(root: string, times: ReadonlyMap<string, number>): string {
  const longest = [...times].toSorted((a, b) => b[1] - a[1]).slice(0, 20)
  return list(
    'slowest files:',
    longest.map(([file, ms]) => [ms / 1000, relative(root, file)]),
  )
}

/** The processes that took most processor time, with all that they started: where to begin when processors are busy. */
function busiest(entries: ReadonlyMap<string, Group>, told: string): string {
  const taken = [...told.matchAll(/^(\S+) (.+)$/gm)].flatMap(([, seconds, entry]): [number, string][] => {
    const group = entries.get(entry!)
    return group === undefined ? [] : [[Number(seconds), group.name]]
  })
  const sum = taken.reduce((all, [seconds]) => all + seconds, 0)
  return list(`most processor time (of ${sum.toFixed(0)} s):`, taken.toSorted((a, b) => b[0] - a[0]).slice(0, 20))
}

const list = (title: string, lines: readonly (readonly [seconds: number, name: string])[]): string =>
  [title, ...lines.map(([seconds, name]) => `  ${seconds.toFixed(1).padStart(6)} s  ${name}`)].join('\n')
