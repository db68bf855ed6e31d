/** One test as a file tells of it; what is not known is empty, and `runTime` is in seconds. */
export interface ParsedTest {
  readonly classname: string
  readonly name: string
  readonly file: string
  readonly result: 'success' | 'failure' | 'skipped' | 'error'
  readonly message: string
  readonly runTime: number
  /** The text of a failure that has a message beside it, from its beginning on. */
  readonly details?: string
  /** What the test printed, to its end. */
  readonly printed?: string
}

/** Reads one file of test results, piece by piece; throws a `BadResults` when it cannot go on. */
export interface ResultsReader {
  write(text: string): void
  end(): void
}

/** A file is not what it should be: told in the step's log, and no failure of the job. */
export class BadResults extends Error {
  override readonly name = 'BadResults'
}

/** Seconds as tests write them, with commas between thousands; nothing sensible is 0. */
export function secondsOf(text: string): number {
  const seconds = Number(text.replaceAll(',', ''))
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0
}
