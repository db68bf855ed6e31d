import { minutes, type Prices } from '#core/insights/credits.ts'
import type { RateRule } from '#core/insights/metrics.ts'

/** How runs are counted, what they cost and how long they are remembered; what an operator decides. */
export interface InsightTerms {
  readonly successRate: RateRule
  readonly prices: Prices
  /** Runs are kept for so many days, and then only what their days came to. */
  readonly keepDays: number
  /** Where traces of workflows go, by OTLP over HTTP; nowhere unless set. */
  readonly traces?: { readonly url: string; readonly headers: Readonly<Record<string, string>> } | undefined
}

/** What holds unless an operator decides otherwise. */
export const usualInsights: InsightTerms = { successRate: 'all', prices: minutes, keepDays: 90 }
