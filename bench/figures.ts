/** The value that a share of the others does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** One line of the table. */
export interface Figure {
  readonly what: string
  readonly ours: string
  readonly floor: string
  readonly ratio: number
  /** The most (or with `atLeast` the least) the ratio may be. */
  readonly goal: number
  readonly atLeast?: true
  /** The same ratio of others, measured on another 2-core machine. */
  readonly peers?: string
}

export const isMet = ({ ratio, goal, atLeast }: Figure): boolean => (atLeast ? ratio >= goal : ratio <= goal)

/** The table as text. */
export function table(figures: readonly Figure[]): string {
  const head = ['what', 'ours', 'floor', 'ratio', 'goal', '', 'peers']
  const rows = figures.map((figure) => [
    figure.what,
    figure.ours,
    figure.floor,
    figure.ratio.toFixed(2),
    `${figure.atLeast ? '>=' : '<='} ${figure.goal}`,
    isMet(figure) ? 'met' : 'MISSED',
    figure.peers ?? '',
  ])
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)))
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
