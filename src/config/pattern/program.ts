import { assertNever } from '#kit/brand.ts'
import { type Assertion, BadPattern, type CharTest, type Syntax } from './syntax.ts'

/** A step of a machine that matches; numbers are the indexes of the steps that may follow. */
export type Instruction =
  | { readonly op: 'char'; readonly test: CharTest; readonly next: number }
  | { readonly op: 'split'; readonly next: number; readonly other: number }
  | { readonly op: 'assert'; readonly what: Assertion; readonly next: number }
  | {
      readonly op: 'look'
      readonly program: Program
      readonly isBehind: boolean
      readonly isNegative: boolean
      readonly next: number
    }
  | { readonly op: 'match' }

/** A machine that matches, and where it starts. */
export interface Program {
  readonly instructions: readonly Instruction[]
  readonly start: number
}

const mostInstructions = 5000
/** Repetitions of repetitions of nothing add no instruction, and would still take for ever. */
const mostWork = 50_000

/** Builds the machine of a pattern, from its end to its start, so that what follows is always known. */
export function programOf(syntax: Syntax, shared = { left: mostInstructions, work: mostWork }): Program {
  const instructions: (Instruction | undefined)[] = []
  const reserve = (): number => {
    if (--shared.left < 0) throw new BadPattern('it is too complex')
    return instructions.push(undefined) - 1
  }
  const add = (instruction: Instruction): number => {
    const index = reserve()
    instructions[index] = instruction
    return index
  }

  const build = (part: Syntax, next: number): number => {
    if (--shared.work < 0) throw new BadPattern('it is too complex')
    switch (part.type) {
      case 'empty':
        return next
      case 'char':
        return add({ op: 'char', test: part.test, next })
      case 'assert':
        return add({ op: 'assert', what: part.what, next })
      case 'look':
        return add({
          op: 'look',
          program: programOf(part.part, shared),
          isBehind: part.isBehind,
          isNegative: part.isNegative,
          next,
        })
      case 'sequence':
        return part.parts.reduceRight((after, each) => build(each, after), next)
      case 'choice': {
        const starts = part.options.map((option) => build(option, next))
        return starts.reduceRight((other, start) => add({ op: 'split', next: start, other }))
      }
      case 'repeat':
        return buildRepeat(part, next)
      default:
        return assertNever(part)
    }
  }

  const buildRepeat = ({ part, least, most }: Extract<Syntax, { type: 'repeat' }>, next: number): number => {
    let start = next
    if (most === Infinity) {
      const loop = reserve()
      instructions[loop] = { op: 'split', next: build(part, loop), other: next }
      start = loop
    } else {
      for (let i = least; i < most; i++) start = add({ op: 'split', next: build(part, start), other: next })
    }
    for (let i = 0; i < least; i++) start = build(part, start)
    return start
  }

  const start = build(syntax, add({ op: 'match' }))
  return { instructions: instructions.filter((instruction) => instruction !== undefined), start }
}
