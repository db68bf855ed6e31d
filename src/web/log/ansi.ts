import { changeLook, type Look } from './look.ts'

/** Characters in a row that look the same. */
export interface Span {
  readonly text: string
  readonly look: Look
}

/** One line as a terminal would leave it, and the look with which the next line begins. */
export interface DrawnLine {
  readonly spans: readonly Span[]
  readonly after: Look
}

/*
 * In this order: a control sequence with its parameters and final letter; a string (title, link) to its end, or to the
 * end of the line; any other escape; a control character. Of all of these only colours, carriage return, backspace
 * and "erase in line" mean something here, the rest is dropped: a log is read, it does not steer the page.
 */
const control =
  // oxlint-disable-next-line no-control-regex
  /\x1b\[([0-?]*)[ -/]*([@-~])|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b[ -/]*[0-~]?|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

// oxlint-disable-next-line no-control-regex
const anyControl = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/

interface Cell {
  readonly text: string
  readonly look: Look
}

const blank = (look: Look): Cell => ({ text: ' ', look })

/** Draws one line of a log, which begins with the look that the line before it left. */
export function drawLine(raw: string, before: Look): DrawnLine {
  if (!anyControl.test(raw)) return { spans: raw === '' ? [] : [{ text: raw, look: before }], after: before }
  const cells: Cell[] = []
  let look = before
  let cursor = 0
  const print = (text: string) => {
    for (const character of text) {
      while (cells.length < cursor) cells.push(blank(look))
      cells[cursor++] = { text: character, look }
    }
  }
  let printed = 0
  for (const match of raw.matchAll(control)) {
    print(raw.slice(printed, match.index))
    printed = match.index + match[0].length
    const [all, parameters = '', final] = match
    if (all === '\r') cursor = 0
    else if (all === '\b') cursor = Math.max(0, cursor - 1)
    else if (final === 'm') look = changeLook(look, numbersOf(parameters))
    else if (final === 'K') erase(cells, cursor, parameters, look)
  }
  print(raw.slice(printed))
  return { spans: spansOf(cells), after: look }
}

/** `;` parts parameters and `:` their members; both are read alike. */
const numbersOf = (parameters: string): readonly number[] =>
  parameters.split(/[;:]/).map((text) => (/^\d+$/.test(text) ? Number(text) : 0))

/** Progress bars clear what is left of a longer line: from the cursor on, up to it, or all of it. */
function erase(cells: Cell[], cursor: number, mode: string, look: Look): void {
  if (mode === '' || mode === '0') cells.length = Math.min(cells.length, cursor)
  else if (mode === '1') cells.fill(blank(look), 0, cursor + 1)
  else if (mode === '2') cells.length = 0
}

function spansOf(cells: readonly Cell[]): readonly Span[] {
  const spans: { text: string; look: Look }[] = []
  for (const { text, look } of cells) {
    const last = spans.at(-1)
    if (last?.look === look) last.text += text
    else spans.push({ text, look })
  }
  return spans
}
