/** What a command answers: for a person, and for a program. */
export interface Told {
  readonly text: string
  readonly data: unknown
  /** Whether what was waited for came to a bad end. */
  readonly bad?: boolean
}

/** What is asked for is not there, or could be several things. */
export class Unclear extends Error {
  override readonly name = 'Unclear'
}
