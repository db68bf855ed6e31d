import { posix } from 'node:path'
import { literal, matcherOf } from '#agent/glob/pattern.ts'
import { openTurns } from '#agent/turns.ts'
import type { Timings } from '#contract/agent/tests.ts'
import { type Flags, flagsOf, type Known } from './flags.ts'
import { itemsIn, nodeOf, secondsIn } from './items.ts'
import type { Question, Reply } from './mailbox.ts'
import { splitByName, splitByWeight } from './split.ts'
import { finder, type TimingType, weigh } from './timings.ts'
import { Wrong } from './wrong.ts'

/** A test that did not pass when its job was last run. */
export interface FailedTest {
  readonly file: string
  readonly classname: string
  readonly name: string
}

/** What commands about tests need to know of the world. */
export interface TestSources {
  /** The paths that patterns match, as they were written: relative to a directory, or absolute. */
  readonly find: (directory: string, patterns: readonly string[]) => Promise<readonly string[]>
  /** The sizes of files; those that are not there are left out. */
  readonly sizes: (directory: string, files: readonly string[]) => Promise<ReadonlyMap<string, number>>
  readonly read: (directory: string, file: string) => Promise<string>
  readonly timings: (type: TimingType | 'autodetect') => Promise<Timings>
  /** What may be left out, as all that is known in it is in quarantine. */
  readonly quarantine: () => Promise<Readonly<Record<TimingType, readonly string[]>>>
  /** A token by which the job proves who it is. */
  readonly identity: (audience: string | undefined) => Promise<string>
  /** The tests to which this job is to keep itself; undefined: all. */
  readonly failed: () => Promise<readonly FailedTest[] | undefined>
}

const splitFlags: Known = {
  valued: ['index', 'total', 'split-by', 'timings-type', 'time-default', 'timings-file'],
  bare: ['show-counts'],
}
const runFlags: Known = {
  valued: [...splitFlags.valued, 'command', 'test-separator'],
  bare: ['show-counts', 'verbose', 'skip-quarantined'],
  short: { v: 'verbose' },
}

/** `tests glob`: the files that match patterns, one a line, without those that match a pattern behind an exclamation mark. */
export async function globTests({ args, directory }: Question, { find }: TestSources): Promise<Reply> {
  const { rest } = flagsOf(args.slice(2), { valued: [], bare: [] })
  const patterns = rest.filter((pattern) => !pattern.startsWith('!'))
  if (patterns.length === 0) throw new Wrong('tests glob needs at least one pattern')
  const found = await find(directory, patterns)
  const unwanted = rest.filter((pattern) => pattern.startsWith('!')).map((pattern) => whole(pattern.slice(1)))
  if (unwanted.length === 0) return { code: 0, out: lines(found) }
  const isUnwanted = matcherOf(unwanted)
  const kept: string[] = []
  const turns = openTurns()
  for (const path of found) {
    if (!isUnwanted(posix.resolve(directory, path).slice(1))) kept.push(path)
    if (turns.due()) await turns.give()
  }
  return { code: 0, out: lines(kept) }

  /** A pattern for paths from the root of the machine on. */
  function whole(pattern: string): string {
    return posix.isAbsolute(pattern) ? pattern : posix.join(literal(directory), pattern)
  }
}

/** Whether a file is one only for the process that asks, which has read it. */
const isHandedOn = (file: string) => /^\/dev\/(fd\/|stdin$)/.test(file)

/** `tests split`: the items of this node, one a line. */
export async function splitTests(question: Question, sources: TestSources): Promise<Reply> {
  const flags = flagsOf(question.args.slice(2), splitFlags)
  const files = flags.rest.filter((file) => !isHandedOn(file))
  const texts = await Promise.all(files.map((file) => sources.read(question.directory, file)))
  const isRead = files.length < flags.rest.length || files.length === 0
  const items = itemsIn([...texts, ...(isRead ? [question.input] : [])].join('\n'))
  const { mine, said } = await split(items, flags, question, sources, timingType(flags, 'autodetect'))
  return { code: 0, out: lines(mine), err: lines(said) }
}

/**
 * `tests run`: gives the items of this node to a command. In a rerun of failed tests only those with a failure are left.
 * Without an item nothing is run.
 */
export async function runTests(question: Question, sources: TestSources): Promise<Reply> {
  const flags = flagsOf(question.args.slice(2), runFlags)
  const command = flags.values.get('command') ?? ''
  if (command.trim() === '') throw new Wrong('tests run needs --command')
  const type = timingType(flags, 'filename')
  const all = itemsIn(question.input)
  const failed = await sources.failed()
  const wanted = failed === undefined ? all : onlyFailed(all, failed, type, question.directory)
  const left = flags.values.has('skip-quarantined')
    ? withoutQuarantined(wanted, await sources.quarantine(), type, question.directory)
    : wanted
  const { mine, said } = await split(left, flags, question, sources, type)
  const talk = flags.values.has('verbose')
    ? [
        ...(failed === undefined ? [] : [`Rerunning failed tests: ${wanted.length} of ${all.length}`]),
        ...(left.length === wanted.length ? [] : [`Left out, as in quarantine: ${wanted.length - left.length}`]),
        ...mine.map((item) => `  ${item}`),
      ]
    : []
  if (mine.length === 0) return { code: 0, err: lines([...said, ...talk, 'There are no tests to run on this node']) }
  return { code: 0, out: lines(mine), err: lines([...said, ...talk]), run: `${command}\n` }
}

/** Leaves out what a team has put into quarantine. */
function withoutQuarantined(
  items: readonly string[],
  units: Readonly<Record<TimingType, readonly string[]>>,
  type: TimingType | 'autodetect',
  directory: string,
): readonly string[] {
  const names = type === 'autodetect' ? [...units.filename, ...units.classname] : units[type]
  if (names.length === 0) return items
  const find = finder(Object.fromEntries(names.map((name) => [name, true])), directory)
  return items.filter((item) => find(item) !== true)
}

/** Items of which nothing is known to have failed are left out; when none is known at all, nothing can be left out. */
function onlyFailed(
  items: readonly string[],
  failed: readonly FailedTest[],
  type: TimingType | 'autodetect',
  directory: string,
): readonly string[] {
  const parts: readonly (keyof FailedTest)[] =
    type === 'classname'
      ? ['classname']
      : type === 'testname'
        ? ['name']
        : type === 'filename'
          ? ['file']
          : ['file', 'classname']
  const names = failed.flatMap((test) => parts.map((part) => test[part])).filter((name) => name !== '')
  if (names.length === 0) return items
  const find = finder(Object.fromEntries(names.map((name) => [name, true])), directory)
  return items.filter((item) => find(item) === true)
}

async function split(
  items: readonly string[],
  flags: Flags,
  question: Question,
  sources: TestSources,
  type: TimingType | 'autodetect',
): Promise<{ readonly mine: readonly string[]; readonly said: readonly string[] }> {
  const { index, total } = nodeOf(flags.values, question)
  const { mine, said } = await chosen()
  const counts = `Read ${items.length} items, kept ${mine.length} items (index = ${index}, total = ${total})`
  return { mine, said: flags.values.has('show-counts') ? [...said, counts] : said }

  async function chosen() {
    const by = flags.values.get('split-by') ?? 'name'
    if (by === 'name') return { mine: await splitByName(items, index, total), said: [] }
    if (by === 'filesize') {
      const sizes = await sources.sizes(question.directory, items)
      const missing = items.filter((item) => !sizes.has(item)).map((item) => `Cannot find the size of "${item}"`)
      const weighed = items.map((item) => ({ item, weight: sizes.get(item) ?? 0 }))
      return { mine: await splitByWeight(weighed, index, total), said: missing }
    }
    if (by !== 'timings') throw new Wrong(`--split-by must be name, filesize or timings: it is "${by.slice(0, 50)}"`)
    const other = flags.values.get('time-default')
    const file = flags.values.get('timings-file')
    const timings =
      file === undefined ? await sources.timings(type) : timingsIn(await sources.read(question.directory, file))
    const usual = other === undefined ? undefined : secondsIn(other)
    const weighing = await weigh(items, timings, type, usual, question.directory)
    const mine = await (weighing.items ? splitByWeight(weighing.items, index, total) : splitByName(items, index, total))
    return { mine, said: weighing.warnings }
  }
}

const types: Readonly<Record<string, TimingType | 'autodetect'>> = {
  autodetect: 'autodetect',
  filename: 'filename',
  file: 'filename',
  classname: 'classname',
  testname: 'testname',
  name: 'testname',
}

function timingType(flags: Flags, usual: TimingType | 'autodetect'): TimingType | 'autodetect' {
  const written = flags.values.get('timings-type') ?? usual
  const type = types[written]
  if (type) return type
  throw new Wrong(`--timings-type must be autodetect, filename, classname or testname: it is "${written.slice(0, 50)}"`)
}

/** A file of results as the API gives them: `tests`, or a list. */
function timingsIn(text: string): Timings {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return {}
  }
  const found = typeof value === 'object' && value !== null && 'tests' in value ? value.tests : value
  const timings = { filename: {}, classname: {}, testname: {} } satisfies Timings
  const add = (to: Record<string, number>, name: unknown, seconds: number) => {
    if (typeof name === 'string' && name !== '') to[name] = (to[name] ?? 0) + seconds
  }
  for (const test of Array.isArray(found) ? (found as readonly Record<string, unknown>[]) : []) {
    const seconds = Number(test['run_time']) || 0
    add(timings.filename, test['file'], seconds)
    add(timings.classname, test['classname'], seconds)
    add(timings.testname, test['name'], seconds)
  }
  return timings
}

const lines = (items: readonly string[]): string => items.map((item) => `${item}\n`).join('')

/** A pattern as it is looked for: below a root, whose name stands before what is found. */
export function rootOf(
  pattern: string,
  directory: string,
): { readonly root: string; readonly pattern: string; readonly before: string } {
  return posix.isAbsolute(pattern)
    ? { root: '/', pattern: pattern.replace(/^\/+/, ''), before: '/' }
    : { root: directory, pattern: pattern.replace(/^(\.\/+)+/, ''), before: '' }
}
