import type { RepositoryName } from '#core/provider-event.ts'
import { ask, askAll, ProviderFailure } from './call.ts'
import { repositoryPath } from './repository.ts'
import type { ProviderTerms } from './terms.ts'

/** A public key of ours, and what a provider shows beside it. */
export interface OurKey {
  readonly title: string
  readonly publicKey: string
}

/** What a key opens: one repository, to read and no more, or everything that the owner of a token may do. */
export type KeyPlace = { readonly repository: RepositoryName } | 'user'

type Told = Readonly<Record<string, unknown>>

async function pathOf(terms: ProviderTerms, token: string, place: KeyPlace, signal?: AbortSignal): Promise<string> {
  if (place !== 'user') {
    const below = { github: '/keys', gitea: '/keys', bitbucket: '/deploy-keys', gitlab: '/deploy_keys' }[terms.kind]
    return repositoryPath(terms, place.repository) + below
  }
  if (terms.kind !== 'bitbucket') return '/user/keys'
  const { value } = await ask(terms, { method: 'GET', path: '/user', token }, signal)
  const uuid = (value as Told | undefined)?.['uuid']
  return `/users/${encodeURIComponent(typeof uuid === 'string' ? uuid : '')}/ssh-keys`
}

function bodyOf({ kind }: ProviderTerms, place: KeyPlace, { title, publicKey: key }: OurKey): Told {
  if (kind === 'bitbucket') return { label: title, key }
  if (place === 'user') return { title, key }
  return kind === 'gitlab' ? { title, key, can_push: false } : { title, key, read_only: true }
}

const idOf = (told: unknown): string | undefined => {
  const { id, uuid } = (told ?? {}) as Told
  const found = id ?? uuid
  return typeof found === 'number' || typeof found === 'string' ? String(found) : undefined
}

/** The words that make a key; what follows them is a comment. */
const essence = (key: unknown): string => (typeof key === 'string' ? key.trim().split(/\s+/).slice(0, 2).join(' ') : '')

/** Lets a key of ours in, and says what the provider calls it. One that is there already is as good. */
export async function addKey(
  terms: ProviderTerms,
  token: string,
  place: KeyPlace,
  key: OurKey,
  signal?: AbortSignal,
): Promise<string> {
  const path = await pathOf(terms, token, place, signal)
  try {
    const { value } = await ask(terms, { method: 'POST', path, body: bodyOf(terms, place, key), token }, signal)
    return idOf(value) ?? ''
  } catch (error) {
    // So they say, each in its own words, that they have it.
    const mayBeThere = error instanceof ProviderFailure && [400, 409, 422].includes(error.status ?? 0)
    if (!mayBeThere) throw error
    const known = await findKey(terms, token, path, key.publicKey, signal)
    if (known === undefined) throw error
    return known
  }
}

async function findKey(terms: ProviderTerms, token: string, path: string, publicKey: string, signal?: AbortSignal) {
  const all = await askAll(terms, { method: 'GET', path, token }, signal)
  const same = all.find((one) => essence((one as Told | null)?.['key']) === essence(publicKey))
  return same === undefined ? undefined : idOf(same)
}

/** Takes a key away; one of which nobody noted what the provider calls it is looked for. One that is gone is as good. */
export async function removeKey(
  terms: ProviderTerms,
  token: string,
  place: KeyPlace,
  key: { readonly id: string | null; readonly publicKey: string },
  signal?: AbortSignal,
): Promise<void> {
  try {
    const path = await pathOf(terms, token, place, signal)
    const id = key.id ?? (await findKey(terms, token, path, key.publicKey, signal))
    if (id === undefined) return
    await ask(terms, { method: 'DELETE', path: `${path}/${encodeURIComponent(id)}`, token }, signal)
  } catch (error) {
    if (!(error instanceof ProviderFailure && error.status === 404)) throw error
  }
}
