import type { TSchema } from 'typebox'
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
  return (given) => {
    const value: unknown = part === 'body' ? given : validator.Convert(withoutEmpty(given))
    if (validator.Check(value)) return value
    const [first] = validator.Errors(value)
    const place = first?.instancePath ? first.instancePath.slice(1).replaceAll('/', '.') : ''
    throw new Refusal('invalid', `Cannot accept the ${part}${place && ` at ${place.slice(0, 200)}`}: it ${first?.message ?? 'has another form'}`)
  }
}

/** An empty query parameter (`page-token=`) is as none. */
function withoutEmpty(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
}
