import { type TObject, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Refusal } from '#kit/refusal.ts'

type Part = 'path' | 'query' | 'body'
type Check = (value: unknown) => unknown

/**
 * A check of one part of a request, made when it is first needed: compiling every schema at start would cost a second.
 * Words of paths and queries become numbers and booleans where those are wanted; bodies are taken as they are.
 */
export function checker(part: Part, schema: TSchema): Check {
  let ready: Check | undefined
  return (value) => (ready ??= compile(part, schema))(value)
}

function compile(part: Part, schema: TSchema): Check {
  const validator = Compile(schema)
  const convert = hasOnlyText(schema) ? (value: unknown) => value : converter(schema as TObject)
  return (given) => {
    const value = part === 'body' ? given : convert(withoutEmpty(given))
    if (validator.Check(value)) return value
    const [first] = validator.Errors(value)
    const place = first?.instancePath ? first.instancePath.slice(1).replaceAll('/', '.') : ''
    throw new Refusal('invalid', `Cannot accept the ${part}${place && ` at ${place.slice(0, 200)}`}: it ${first?.message ?? 'has another form'}`)
  }
}

/** The rest of a path (`*`) is text and stays as it is: typebox takes the names of members for patterns, and this is none. */
function converter({ properties: { '*': _rest, ...named } }: TObject): (value: Record<string, unknown>) => unknown {
  const validator = Compile(Type.Object(named))
  return ({ '*': rest, ...others }) => {
    const converted = Object.entries(validator.Convert(others) as Record<string, unknown>).map(([name, value]) => [name, within(value)])
    return Object.fromEntries(rest === undefined ? converted : [...converted, ['*', rest]])
  }
}

/** A number that no database can hold is as the largest that can be told apart: nothing lies that far either way. */
const within = (value: unknown): unknown =>
  typeof value === 'number' && Number.isInteger(value) ? Math.max(Number.MIN_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER)) : value

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
