import type { Person, RefChange, RepositoryName } from '#core/provider-event.ts'
import { isRefName, isRevision } from '#core/refs.ts'

/** A hook that does not have the shape that its provider documents. */
export class MalformedHook extends Error {
  override readonly name = 'MalformedHook'
}

/** A map of a hook, of which nothing is believed before it was looked at. */
export type Told = Readonly<Record<string, unknown>>

const fail = (what: string): never => {
  throw new MalformedHook(`Cannot read the hook as it must have ${what}: it has not`)
}

/** The map at a path of keys, if there is one there. */
export function mapAt(told: unknown, ...path: readonly string[]): Told | undefined {
  let at: unknown = told
  for (const key of path) at = isMap(at) ? at[key] : undefined
  return isMap(at) ? at : undefined
}

const isMap = (value: unknown): value is Told => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The map at a path, which must be there. */
export const needMap = (told: unknown, ...path: readonly string[]): Told =>
  mapAt(told, ...path) ?? fail(`a map ${path.join('.')}`)

/** A text of a map, of at most a thousand characters; without null characters, which not every database takes. */
export function textOf(told: Told | undefined, key: string): string | undefined {
  const value = told?.[key]
  return typeof value === 'string' && value !== '' ? value.slice(0, 1000).replaceAll('\0', '') : undefined
}

/** The address of a page; nothing where it would lead anywhere else. */
export const pageAt = (told: Told | undefined, key: string): string => {
  const text = textOf(told, key) ?? ''
  return /^https?:\/\//.test(text) ? text : ''
}

/** A text that must be there. */
export const needText = (told: Told | undefined, key: string): string => textOf(told, key) ?? fail(`a text ${key}`)

/** A number that must be there. */
export function needNumber(told: Told, key: string): number {
  const value = told[key]
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : fail(`a number ${key}`)
}

/** A list; nothing where there is none. */
export const listAt = (told: Told | undefined, key: string): readonly unknown[] => {
  const value = told?.[key]
  return Array.isArray(value) ? value : []
}

/** The name of a branch, which must be one that may be used. */
export function needBranch(told: Told | undefined, key: string): string {
  const name = needText(told, key)
  return isRefName(name) ? name : fail(`the name of a branch in ${key}`)
}

/** A revision, or the beginning of one that is long enough to be nobody else's. */
export function needRevision(told: Told | undefined, key: string): string {
  const text = needText(told, key).toLowerCase()
  return /^[0-9a-f]{12,64}$/.test(text) ? text : fail(`a revision ${key}`)
}

/** A revision; nothing for the zeros that stand for none. */
export const revisionAt = (told: Told | undefined, key: string): string | undefined => {
  const text = textOf(told, key)?.toLowerCase()
  return text !== undefined && isRevision(text) && !/^0+$/.test(text) ? text : undefined
}

/** One change of a ref, without what is not there. */
export const changeOf = (ref: string, from: string | undefined, to: string | undefined): RefChange => ({
  ref,
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})

/** Takes apart `group/subgroup/name`. */
export function repositoryNamed(path: string): RepositoryName {
  const cut = path.lastIndexOf('/')
  if (cut <= 0 || cut === path.length - 1) return fail('the name of a repository')
  return { owner: path.slice(0, cut), name: path.slice(cut + 1) }
}

/** Somebody by the keys of their id and login; ids may be numbers. */
export function personAt(told: Told | undefined, id: string, login: string): Person | undefined {
  const value = told?.[id]
  const text = typeof value === 'number' ? String(value) : textOf(told, id)
  return text === undefined ? undefined : { id: text, login: textOf(told, login) ?? text }
}
