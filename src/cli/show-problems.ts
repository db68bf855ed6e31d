import type { Problem } from '#config/problem.ts'
import { printable } from './printable.ts'

/** Wider lines of a file are cut around the place that is blamed. */
const widest = 160

/** Problems as compilers print them: the place, what is wrong, how the compiler got there, and the line with a caret. */
export function showProblems(file: string, source: string, problems: readonly Problem[]): string {
  const lines = source.split(/\r?\n/)
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  return [...problems.map((problem) => showProblem(file, lines, problem)), `${file}: ${count}`].join('\n\n')
}

function showProblem(file: string, lines: readonly string[], { message, line, column = 1, path }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`
  const [first = '', ...more] = printable(message).split('\n')
  const way = path.length > 0 ? [`  in ${path.map(printable).join(' > ')}`] : []
  const text = line === undefined ? undefined : lines[line - 1]
  const shown = text === undefined ? [] : excerpt(printable(text), line!, column)
  return [`${place}: ${first}`, ...more.map((rest) => `  ${rest}`), ...way, ...shown].join('\n')
}

function excerpt(text: string, line: number, column: number): readonly string[] {
  const from = column > widest - 20 ? column - widest / 2 : 0
  const cut = text.slice(from, from + widest)
  const margin = String(line)
  // The caret stands under its character only if tabs are kept as they are.
  const before = cut.slice(0, column - 1 - from).replace(/[^\t]/g, ' ')
  return [`  ${margin} | ${cut}`, `  ${' '.repeat(margin.length)} | ${before}^`]
}
