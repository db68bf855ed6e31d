import { assertNever } from '#kit/brand.ts'
import { isWord } from './classes.ts'
import type { Program } from './program.ts'
import type { Assertion } from './syntax.ts'

/** How many steps may still be taken; shared by all matches of whoever asks. */
export interface Work {
  left: number
}

/** The text as code points, and the work that may be put into it. */
export interface Match {
  readonly codes: readonly number[]
  readonly work: Work
}

/** A match cost more work than it may. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork'
}

/**
 * Runs all ways through a program at once, one character after the other: the cost is the length of the text
 * times the size of the program, whatever the pattern. Only looks around are paid again at each place.
 * Tells whether the program can end at `end`, or anywhere if that is undefined.
 */
export function runs(program: Program, match: Match, from: number, end: number | undefined): boolean {
  let states = closure(program, [program.start], match, from)
  for (let at = from; ; at++) {
    const isOver = states.some((state) => program.instructions[state]!.op === 'match')
    if (isOver && (end === undefined || at === end)) return true
    if (at >= match.codes.length || states.length === 0 || at === end) return false
    const code = match.codes[at]!
    const next: number[] = []
    for (const state of states) {
      const instruction = program.instructions[state]!
      if (instruction.op === 'char' && instruction.test(code)) next.push(instruction.next)
    }
    states = closure(program, next, match, at + 1)
  }
}

/** Every state that can be reached without reading a character: those that read one, or that end. */
function closure(program: Program, from: readonly number[], match: Match, at: number): readonly number[] {
  const seen = new Set<number>()
  const reached: number[] = []
  const waiting = [...from].reverse()
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    if (seen.has(state)) continue
    seen.add(state)
    if (--match.work.left < 0) throw new TooMuchWork('Cannot finish the match')
    const instruction = program.instructions[state]!
    switch (instruction.op) {
      case 'char':
      case 'match':
        reached.push(state)
        break
      case 'split':
        waiting.push(instruction.other, instruction.next)
        break
      case 'assert':
        if (isTrueAt(instruction.what, match, at)) waiting.push(instruction.next)
        break
      case 'look':
        if (looks(instruction.program, instruction.isBehind, match, at) !== instruction.isNegative)
          waiting.push(instruction.next)
        break
      default:
        assertNever(instruction)
    }
  }
  return reached
}

function looks(program: Program, isBehind: boolean, match: Match, at: number): boolean {
  if (!isBehind) return runs(program, match, at, undefined)
  for (let from = at; from >= 0; from--) if (runs(program, match, from, at)) return true
  return false
}

function isTrueAt(what: Assertion, { codes }: Match, at: number): boolean {
  switch (what) {
    case 'start':
      return at === 0
    case 'end':
      return at === codes.length
    case 'line-start':
      return at === 0 || codes[at - 1] === 10
    case 'line-end':
      return at === codes.length || codes[at] === 10
    case 'boundary':
      return wordAt(codes, at - 1) !== wordAt(codes, at)
    case 'no-boundary':
      return wordAt(codes, at - 1) === wordAt(codes, at)
    default:
      return assertNever(what)
  }
}

const wordAt = (codes: readonly number[], at: number) => at >= 0 && at < codes.length && isWord(codes[at]!)
