/** Why a request was refused. The list is closed: every edge of the service maps each of these exactly once. */
export type RefusalCode =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'throttled'
  | 'full'
  | 'not-built'

/**
 * The caller asked for something we understood and will not do.
 * Anything else that is thrown is a bug of ours, and is reported as one.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: RefusalCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** Turns "no such row" into a refusal, in the sentence where the row was wanted: `Workflow not found.` */
export function orNotFound<T>(found: T | undefined, entity: string): T {
  if (found === undefined) throw new Refusal('not-found', `${entity} not found.`)
  return found
}
