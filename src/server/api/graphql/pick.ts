import { Refusal } from '#kit/refusal.ts'
import type { Field } from './read-query.ts'

/** What there is to know of something. What costs a question to the database is a function, and is asked only where somebody wants it. */
export type Known = string | number | boolean | null | readonly Known[] | KnownObject | (() => Promise<Known>)
export interface KnownObject {
  readonly [name: string]: Known
}

/** Of what is known, what was asked for, under the names that were asked for. */
export async function pick(known: Known, fields: readonly Field[], of: string): Promise<unknown> {
  if (typeof known === 'function') return pick(await known(), fields, of)
  if (isList(known)) return Promise.all(known.map((item) => pick(item, fields, of)))
  if (known === null || typeof known !== 'object') {
    if (fields.length > 0 && known !== null) throw unknown(fields[0]?.name ?? '', of)
    return known
  }
  if (fields.length === 0) throw new Refusal('invalid', `Cannot answer ${of} as it must be said what of it is wanted`)
  const picked: [string, unknown][] = []
  for (const field of fields) {
    const value = Object.hasOwn(known, field.name) ? known[field.name] : undefined
    if (value === undefined) throw unknown(field.name, of)
    picked.push([field.alias, await pick(value, field.fields, field.name)])
  }
  return Object.fromEntries(picked)
}

const isList = (known: Known): known is readonly Known[] => Array.isArray(known)

/** That a field is not there, in the words in which clients expect it. */
export const unknown = (field: string, of: string): Refusal =>
  new Refusal('invalid', `Cannot query field \`${field}' on type \`${of}'.`)
