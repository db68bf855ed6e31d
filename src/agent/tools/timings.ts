import type { Timings } from '#contract/agent/tests.ts'
import { eachInTurn, openTurns, type Turns } from '#agent/turns.ts'
import type { Weighed } from './split.ts'

/** What a test that was never timed is taken to last, in seconds, where nothing else is said. */
const unknownSeconds = 0.01

export type TimingType = 'filename' | 'classname' | 'testname'

/** The weights of items by what they took before; or why there are none. */
export type Weighing =
  | { readonly items: readonly Weighed[]; readonly warnings: readonly string[] }
  | { readonly items: undefined; readonly warnings: readonly string[] }

/** Weighs items by the time they took. With nothing to go by it says so, in the words that people know (B5). */
export async function weigh(
  items: readonly string[],
  timings: Timings,
  type: TimingType | 'autodetect',
  other: number | undefined,
  directory: string,
  turns: Turns = openTurns(),
): Promise<Weighing> {
  const known = Object.values(timings).some((seconds) => Object.keys(seconds ?? {}).length > 0)
  if (!known) return { items: undefined, warnings: noTimings }
  const chosen = type === 'autodetect' ? await detect(items, timings, directory, turns) : type
  if (chosen === undefined) return { items: undefined, warnings: [noMatch] }
  const find = finder(timings[chosen] ?? {}, directory)
  const warnings: string[] = []
  const weighed: Weighed[] = []
  await eachInTurn(items, turns, (item) => {
    const seconds = find(item)
    if (seconds === undefined) warnings.push(`No timing found for "${item}"`)
    weighed.push({ item, weight: seconds ?? other ?? unknownSeconds })
  })
  return { items: weighed, warnings }
}

const noTimings = [
  'Error reading historical timing data: file does not exist',
  'Requested weighting by historical based timing, but they are not present. Falling back to weighting by name.',
]
const noMatch =
  'Error auto-detecting timing type, falling back to weighting by name. Autodetect no matching filename or classname.  If file names are used, double check paths for absolute vs relative.'

/** By what the items are named: whatever more of them are known by. */
async function detect(
  items: readonly string[],
  timings: Timings,
  directory: string,
  turns: Turns,
): Promise<TimingType | undefined> {
  const [file, classname] = [finder(timings.filename ?? {}, directory), finder(timings.classname ?? {}, directory)]
  let [files, classes] = [0, 0]
  await eachInTurn(items, turns, (item) => {
    if (file(item) !== undefined) files++
    if (classname(item) !== undefined) classes++
  })
  if (files === 0 && classes === 0) return undefined
  return files >= classes ? 'filename' : 'classname'
}

/** Finds what is known of an item, however its path is written. */
export function finder<T>(known: Readonly<Record<string, T>>, directory: string): (item: string) => T | undefined {
  const plain = new Map(Object.entries(known).map(([name, value]) => [plainPath(name, directory), value]))
  return (item) => plain.get(plainPath(item, directory))
}

/** A path as seen from the directory where the step stands. */
export function plainPath(path: string, directory: string): string {
  const below = path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path
  return below.replace(/^(\.\/+)+/, '')
}
