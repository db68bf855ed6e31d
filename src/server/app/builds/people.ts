import { names } from '#core/names.ts'
import type { UserRow } from '#server/store/people.ts'
import type { World } from '#server/app/world.ts'

/**
 * The number of a person in generation 1.1, where strict clients read ids of people as integers of 32 bits: the random end of the id.
 * Two people may share one, so it names nobody to us; whoever wants to know who somebody is has the login beside it.
 */
export const numberOf = ({ id }: Pick<UserRow, 'id'>): number => Number.parseInt(id.slice(-8), 16) & 0x7fffffff

/** Who somebody is at the provider as which the built-in host appears, in the words of generation 1.1. */
export function identityOf(world: World, user: UserRow) {
  const { long } = names[world.terms.dialect].providers[world.terms.hostedAs]
  return {
    avatar_url: user.avatar_url,
    external_id: numberOf(user),
    id: numberOf(user),
    name: user.name,
    'user?': true,
    'authorized?': true,
    domain: new URL(world.terms.baseUrl).host,
    type: long,
    provider_id: long,
    login: user.login,
  }
}
