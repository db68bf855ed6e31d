import { useQuery } from '@tanstack/react-query'
import { organizationsQuery, sessionQuery } from '#web/read/queries.ts'

/** Where a new server puts a project of its own, to have something to show. */
export const sampleOrganization = 'sample'

/** The organization for a new project: one that the caller works on already, or one that is called like them. */
export function useOrganization(): string {
  const { data: user } = useQuery(sessionQuery)
  const { data: organizations = [] } = useQuery(organizationsQuery)
  return organizations.find(({ name }) => name !== sampleOrganization)?.name ?? user?.login ?? 'me'
}
