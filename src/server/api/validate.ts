import { type TObject, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Refusal } from '#kit/refusal.ts'

type Part = 'path' | 'query' | 'header' | 'body'
type Check = (value: unknown) => unknown

/**
 * A check of one part of a request, made when it is first needed: compiling every schema at start would cost a second.
 * Words of paths and queries become numbers and booleans where those are wanted; headers and bodies are taken as they are.
 */
export function checker(part: Part, schema: TSchema): Check {
  let ready: Check | undefined
  return (value) => (ready ??= compile(part, schema))(value)
}

function compile(part: Part, schema: TSchema): Check {
  const validator = Compile(schema)
  const convert = hasOnlyText(schema)
    ? (value: unknown) => value
    : converter(schema as TObject, part === 'path' ? mostInPath : Number.MAX_SAFE_INTEGER)
  return (given) => {
    const value = part === 'body' || part === 'header' ? given : convert(withoutEmpty(given))
    const objection = objectionTo(value)
    if (objection) throw new Refusal('invalid', `Cannot accept the ${part} as ${objection}`)
    if (validator.Check(value)) return value
    const [first] = validator.Errors(value)
    const place = first?.instancePath ? first.instancePath.slice(1).replaceAll('/', '.') : ''
    throw new Refusal(
      'invalid',
      `Cannot accept the ${part}${place && ` at ${place.slice(0, 200)}`}: it ${first?.message ?? 'has another form'}`,
    )
  }
}

/** The rest of a path (`*`) is text and stays as it is: typebox takes the names of members for patterns, and this is none. */
function converter(
  { properties: { '*': _rest, ...named } }: TObject,
  most: number,
): (value: Record<string, unknown>) => unknown {
  const validator = Compile(Type.Object(named))
  return ({ '*': rest, ...others }) => {
    const converted = Object.entries(validator.Convert(others) as Record<string, unknown>).map(([name, value]) => [
      name,
      within(value, most),
    ])
    return Object.fromEntries(rest === undefined ? converted : [...converted, ['*', rest]])
  }
}

/** What paths count (builds, pipelines, steps) fits into 32 bits, as the columns of PostgreSQL do. */
const mostInPath = 2 ** 31 - 1

/** A number that no database can hold is as the largest that can be told apart: nothing lies that far either way. */
const within = (value: unknown, most: number): unknown =>
  typeof value === 'number' && Number.isInteger(value) ? Math.max(-most, Math.min(value, most)) : value

const deepest = 100

/** What neither we nor a database can keep: PostgreSQL takes no NUL in a text, and what is nested without end ends our stack. */
function objectionTo(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string')
    return value.includes('\0') ? 'no text may hold the character NUL: one does' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === deepest) return `it may be nested ${deepest} deep: it is deeper`
  for (const [name, member] of Object.entries(value)) {
    const found = objectionTo(name, depth + 1) ?? objectionTo(member, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** An empty query parameter (`page-token=`) is as none. */
function withoutEmpty(given: unknown): Record<string, unknown> {
  if (typeof given !== 'object' || given === null) return {}
  if (!Object.values(given).includes('')) return given as Record<string, unknown>
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
}

/** Whether every part is a text anyway, so that nothing has to become anything else. */
function hasOnlyText(schema: TSchema): boolean {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, { readonly type?: string }>> }
  return Object.values(properties).every(({ type }) => type === 'string')
}
