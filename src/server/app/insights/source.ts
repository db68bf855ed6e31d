import type { RateRule } from '#core/insights/metrics.ts'
import type { Db } from '#server/store/schema.ts'

/** What insights are read from: a database, at a time, by a rule. All that they need, so that a thread of its own can answer. */
export interface Source {
  readonly db: Db
  /** In milliseconds since 1970. */
  readonly now: number
  readonly rule: RateRule
}
