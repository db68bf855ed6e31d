/** What is read of an event of node:test about one test; those about a process as a whole have no entry file. */
export interface OneTest {
  readonly name: string
  readonly nesting: number
  readonly file?: string
  readonly entryFile?: string
  readonly details?: { readonly duration_ms?: number }
}

/** What became of the tests of a run, told as it happens. */
export interface TestRecord {
  begun(test: OneTest): void
  ended(test: OneTest): void
  /** How long the tests of each file took together. */
  readonly times: ReadonlyMap<string, number>
  /** Tests whose process ended before they did, and files of which no test was seen. */
  unheardOf(files: readonly string[]): readonly string[]
}

/** A record of nothing yet. */
export function openRecord(): TestRecord {
  const times = new Map<string, number>()
  const open = new Map<string, string[]>()
  const seen = new Set<string>()
  // Those inside of others are told with them. A process counts for itself what it runs, so names need be unique nowhere.
  const isOuter = (test: OneTest) => test.nesting === 0 && test.entryFile !== undefined
  return {
    times,
    begun(test) {
      if (!isOuter(test)) return
      seen.add(test.file ?? '').add(test.entryFile ?? '')
      open.set(keyOf(test), [...(open.get(keyOf(test)) ?? []), `${test.file}: ${test.name}`])
    },
    ended(test) {
      if (!isOuter(test)) return
      open.get(keyOf(test))?.pop()
      const file = test.file ?? ''
      times.set(file, (times.get(file) ?? 0) + (test.details?.duration_ms ?? 0))
    },
    unheardOf(files) {
      const unseen = files.filter((file) => !seen.has(file)).map((file) => `${file}: no test`)
      return [...[...open.values()].flat(), ...unseen]
    },
  }
}

const keyOf = ({ entryFile, file, name }: OneTest) => [entryFile, file, name].join('\0')
