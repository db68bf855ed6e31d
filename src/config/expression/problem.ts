/** Something wrong with an expression, and the part of its text that is to blame. */
export interface ExpressionProblem {
  readonly problem: string
  readonly from: number
  readonly to: number
}

/** A problem with the part of an expression between two offsets. */
export const at = (problem: string, from: number, to: number): ExpressionProblem => ({ problem, from, to })

/** Whether reading or evaluating ended in a problem. */
export const isProblem = (value: object): value is ExpressionProblem => 'problem' in value

/** The problem as a person reads it: the line, and a mark below what is wrong. */
export function explain({ problem, from, to }: ExpressionProblem, source: string): string {
  const start = source.lastIndexOf('\n', from - 1) + 1
  const end = source.indexOf('\n', from)
  const line = source.slice(start, end < 0 ? undefined : end)
  const marks = Math.max(1, Math.min(to, start + line.length) - from)
  return `${problem}:\n${line}\n${' '.repeat(from - start)}${'^'.repeat(marks)}`
}
