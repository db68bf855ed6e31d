import { insightsPage } from '#web/address.ts'
import type { Insight } from '#web/read/insight-queries.ts'

/** The page of insights about something, with whatever else its address says. */
export function insightsAddress({ slug, window, branch }: Insight, rest: Readonly<Record<string, string>>): string {
  const words = { window, ...(branch !== undefined && { branch }), ...rest }
  return `${insightsPage(slug)}?${new URLSearchParams(words).toString()}`
}
