import type { Output } from '#contract/endpoint.ts'
import { queryOptions } from '@tanstack/react-query'
import { type Agent, listAgents } from '#contract/rh/agents.ts'
import { getOrganization, listAllAudit, listAudit, listMembers, listOrganizations } from '#contract/rh/organizations.ts'
import { listUsers } from '#contract/rh/users.ts'
import { listContextRestrictions } from '#contract/v2/context-restriction.ts'
import { getContext, listContexts, listContextVariables } from '#contract/v2/context.ts'
import { callRh, callV2 } from '#web/api/calls.ts'
import { pagedQuery } from './pages.ts'

/** The organizations that the reader may see. */
export const organizationListQuery = pagedQuery(['organization-list'], (query, signal) =>
  callRh(listOrganizations, { query }, { signal }),
)

/** One organization, and what the reader is in it. */
export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['organization', id],
    queryFn: ({ signal }) => callRh(getOrganization, { params: { organization_id: id } }, { signal }),
  })

/** Who belongs to an organization. */
export const membersQuery = (id: string) =>
  pagedQuery(['members', id], (query, signal) =>
    callRh(listMembers, { params: { organization_id: id }, query }, { signal }),
  )

/** Which entries of an audit log are looked for; what is empty is not asked for. */
export interface AuditFilter {
  readonly actor: string
  readonly words: string
  /** The last day, as `2026-01-31`. */
  readonly until: string
}

/** Who did what in an organization, or anywhere, newest first. */
export const auditQuery = (id: string | undefined, { actor, words, until }: AuditFilter) =>
  pagedQuery(['audit', id ?? '', actor, words, until], (page, signal) => {
    const query = {
      ...page,
      ...(actor !== '' && { actor }),
      ...(words !== '' && { q: words }),
      ...(until !== '' && { until: new Date(Date.parse(`${until}T00:00:00`) + dayMs).toISOString() }),
    }
    return id === undefined
      ? callRh(listAllAudit, { query }, { signal })
      : callRh(listAudit, { params: { organization_id: id }, query }, { signal })
  })

const dayMs = 86_400_000

/** More agents than a person looks through; the command line has the rest. */
const mostPages = 20

/** The agents of an organization, or of the whole installation; their load changes by itself. */
export const agentsQuery = (organization: string | undefined) =>
  queryOptions({
    queryKey: ['agents', organization ?? ''],
    queryFn: async ({ signal }) => {
      const items: Agent[] = []
      let token: string | null = ''
      for (let page = 0; token !== null && page < mostPages; page++) {
        const query = {
          ...(organization !== undefined && { organization }),
          ...(token !== '' && { 'page-token': token }),
        }
        const answer: Output<typeof listAgents> = await callRh(listAgents, { query }, { signal })
        items.push(...answer.items)
        token = answer.next_page_token
      }
      return { items }
    },
    refetchInterval: 5_000,
  })

/** The users of this installation. */
export const usersQuery = pagedQuery(['users'], (query, signal) => callRh(listUsers, { query }, { signal }))

/** The contexts of an organization. */
export const contextsQuery = (organization: string) =>
  pagedQuery(['contexts', organization], (query, signal) =>
    callV2(listContexts, { query: { ...query, 'owner-id': organization } }, { signal }),
  )

/** One context. */
export const contextQuery = (id: string) =>
  queryOptions({
    queryKey: ['context', id],
    queryFn: ({ signal }) => callV2(getContext, { params: { context_id: id } }, { signal }),
  })

/** The names of the variables of a context. */
export const contextVariablesQuery = (id: string) =>
  pagedQuery(['context-variables', id], (query, signal) =>
    callV2(listContextVariables, { params: { context_id: id }, query }, { signal }),
  )

/** What limits the use of a context. */
export const restrictionsQuery = (id: string) =>
  pagedQuery(['restrictions', id], (query, signal) =>
    callV2(listContextRestrictions, { params: { context_id: id }, query }, { signal }),
  )
