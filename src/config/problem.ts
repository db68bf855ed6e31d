/** Something wrong with a configuration, said so that a person can mend it. */
export interface Problem {
  readonly message: string
  /** Counted from 1; absent where the trouble has no place (a missing file). */
  readonly line?: number
  readonly column?: number
  /** How the compiler got there: `['workflow: main', 'job: build', 'command: setup']`. */
  readonly path: readonly string[]
}
