import { useQuery } from '@tanstack/react-query'
import type { Slug } from '#web/address.ts'
import { rolesQuery, sessionQuery } from '#web/read/queries.ts'

/** Why the reader may not run anything in a project; nothing where they may, or it is not known. */
export function useForbidden({ org }: Slug): string | undefined {
  const { data: user } = useQuery(sessionQuery)
  const { data: organizations } = useQuery(rolesQuery)
  if (user === undefined || user.admin || organizations === undefined) return undefined
  const role = organizations.items.find(({ name }) => name.toLowerCase() === org.toLowerCase())?.role ?? null
  return role === 'owner' || role === 'member' ? undefined : `You may look at ${org}, and run nothing in it`
}
