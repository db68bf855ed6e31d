/** The rows that must be in the page: from the first to before the second. */
export interface RowWindow {
  readonly from: number
  readonly to: number
}

/** What is seen of a long list, in rows of one height, and so many rows more on either side. */
export function rowWindow(top: number, height: number, row: number, count: number, margin: number): RowWindow {
  const from = Math.max(0, Math.min(count, Math.floor(top / row)) - margin)
  const to = Math.min(count, Math.ceil((top + height) / row) + margin)
  return { from, to: Math.max(from, to) }
}
