import { Readable } from 'node:stream'
import { toEdn } from './edn.ts'
import { formatted } from './formatted.ts'

const long = Symbol('long')

/** An answer of one list that may be too long to be written in one go, and of what stands behind it. */
export interface LongList {
  readonly [long]: Parts
}

interface Parts {
  readonly name: string
  readonly items: AsyncIterable<readonly unknown[]>
  /** Asked for when the list is at its end. */
  readonly rest: () => Promise<Readonly<Record<string, unknown>>>
}

/** Answers with a list that comes some items at a time: others are served in between. */
export const longList = (
  name: string,
  items: AsyncIterable<readonly unknown[]>,
  rest: () => Promise<Readonly<Record<string, unknown>>>,
): LongList => ({ [long]: { name, items, rest } })

/** The parts of an answer that is such a list. */
const partsOf = (answer: unknown): Parts | undefined =>
  typeof answer === 'object' && answer !== null && long in answer ? (answer as LongList)[long] : undefined

/** How an answer is written: EDN, compact JSON, or JSON for people. */
export type Form = 'edn' | 'compact' | 'formatted'

/** The text of an answer that is a long list, piece by piece; undefined of any other. */
export function longText(answer: unknown, form: Form): Readable | undefined {
  const parts = partsOf(answer)
  return parts && Readable.from(pieces(parts, forms[form]), { objectMode: false })
}

interface Words {
  readonly open: (name: string) => string
  readonly item: (value: unknown) => string
  readonly between: string
  /** Before the first item, behind the last. */
  readonly around: readonly [string, string]
  readonly member: (name: string, value: unknown) => string
  readonly close: string
}

const forms: Readonly<Record<Form, Words>> = {
  compact: {
    open: (name) => `{${JSON.stringify(name)}:[`,
    item: (value) => JSON.stringify(value),
    between: ',',
    around: ['', ''],
    member: (name, value) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
    close: '}',
  },
  formatted: {
    open: (name) => `{\n  ${JSON.stringify(name)} : [ `,
    item: (value) => formatted(value, '  '),
    between: ', ',
    around: ['', ' '],
    member: (name, value) => `,\n  ${JSON.stringify(name)} : ${formatted(value, '  ')}`,
    close: '\n}',
  },
  edn: {
    open: (name) => `{:${name} [`,
    item: toEdn,
    between: ' ',
    around: ['', ''],
    member: (name, value) => `, :${name} ${toEdn(value)}`,
    close: '}',
  },
}

async function* pieces({ name, items, rest }: Parts, words: Words): AsyncGenerator<string> {
  yield words.open(name)
  let empty = true
  for await (const some of items) {
    if (some.length === 0) continue
    yield (empty ? words.around[0] : words.between) + some.map(words.item).join(words.between)
    empty = false
  }
  const members = Object.entries(await rest()).map(([member, value]) => words.member(member, value))
  yield `${empty ? '' : words.around[1]}]${members.join('')}${words.close}`
}
