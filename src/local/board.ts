import { stripVTControlCharacters } from 'node:util'

/** Where a board is shown. */
export interface Screen {
  write(text: string): void
  readonly isTerminal: boolean
  readonly colours: boolean
  size(): { readonly columns: number; readonly rows: number }
}

/** Lines that stay, and below them, in a terminal, some that change. */
export interface Board {
  readonly colours: boolean
  /** Adds lines that stay. */
  say(...lines: readonly string[]): void
  /** Shows these lines below until others come; nothing where the output is no terminal. */
  show(lines: readonly string[]): void
}

/** A board on a screen. */
export function boardOn(screen: Screen): Board {
  let shown: readonly string[] = []

  function draw(lines: readonly string[], below: readonly string[]): void {
    // One write: a half-drawn board would flicker.
    const up = shown.length > 0 ? `\u001b[${shown.length}A\u001b[J` : ''
    shown = below
    screen.write(up + [...lines, ...below].map((line) => `${line}\n`).join(''))
  }

  return {
    colours: screen.colours,
    say: (...lines) => draw(lines, shown),
    show(lines) {
      if (!screen.isTerminal) return
      const { columns, rows } = screen.size()
      const most = Math.max(1, rows - 2)
      const fitting =
        lines.length > most ? [...lines.slice(0, most - 1), `  and ${lines.length - most + 1} more`] : lines
      const cut = fitting.map((line) => shorten(line, columns - 1))
      if (cut.length === 0 && shown.length === 0) return
      draw([], cut)
    },
  }
}

/** A line that is wider than the terminal would be two, and then too few would be erased. */
function shorten(line: string, most: number): string {
  const plain = stripVTControlCharacters(line)
  return plain.length <= most ? line : `${plain.slice(0, Math.max(0, most - 1))}…`
}

type Look = 'good' | 'bad' | 'busy' | 'faint'

const looks: Readonly<Record<Look, string>> = { good: '32', bad: '31', busy: '36', faint: '2' }

/** A text in a colour, where there are any. */
export const inColour = (colours: boolean, look: Look, text: string): string =>
  colours ? `\u001b[${looks[look]}m${text}\u001b[0m` : text
