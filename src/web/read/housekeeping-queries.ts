import { queryOptions } from '@tanstack/react-query'
import { listCaches } from '#contract/rh/caches.ts'
import { getConnection } from '#contract/rh/connection.ts'
import { listQuarantine } from '#contract/rh/quarantine.ts'
import { getApproval, listWaitingForks } from '#contract/rh/forks.ts'
import { listKeyRegistrations } from '#contract/rh/key-registrations.ts'
import { getHook, listHooks, listOrganizationReceivers, listReceivers } from '#contract/rh/receivers.ts'
import { type Slug, slugText } from '#web/address.ts'
import { callRh } from '#web/api/calls.ts'
import { pagedQuery } from './pages.ts'

/** The caches of a project, by its id, newest first. */
export const cachesQuery = (project: string) =>
  pagedQuery(['caches', project], (query, signal) => callRh(listCaches, { params: { id: project }, query }, { signal }))

/** The tests of a project, by its id, that are in quarantine. */
export const quarantineQuery = (project: string) =>
  pagedQuery(['quarantine', project], (query, signal) =>
    callRh(listQuarantine, { params: { id: project }, query }, { signal }),
  )

/** How a project speaks to its provider. */
export const connectionQuery = (slug: Slug) =>
  queryOptions({
    queryKey: ['connection', slugText(slug)],
    queryFn: ({ signal }) => callRh(getConnection, { params: { ...slug } }, { signal }),
  })

/** The addresses at which the provider of a project tells of pushes. */
export const receiversQuery = (slug: Slug) =>
  queryOptions({
    queryKey: ['receivers', slugText(slug)],
    queryFn: ({ signal }) => callRh(listReceivers, { params: { ...slug } }, { signal }),
  })

/** The addresses at which the provider of an organization tells of pushes. */
export const organizationReceiversQuery = (organization: string) =>
  queryOptions({
    queryKey: ['organization-receivers', organization],
    queryFn: ({ signal }) =>
      callRh(listOrganizationReceivers, { params: { organization_id: organization } }, { signal }),
  })

// Nobody rings when a provider calls: whoever tries a connection wants to see it soon.
const soon = 3_000

/** What a provider told at one address, newest first. */
export const hooksQuery = (receiver: string) => ({
  ...pagedQuery(['hooks', receiver], (query, signal) =>
    callRh(listHooks, { params: { receiver_id: receiver }, query }, { signal }),
  ),
  refetchInterval: soon,
})

/** One hook, as it came. */
export const hookQuery = (id: string) =>
  queryOptions({
    queryKey: ['hook', id],
    queryFn: ({ signal }) => callRh(getHook, { params: { hook_id: id } }, { signal }),
    refetchInterval: soon,
  })

/** Whether a pipeline waits for approval of the commit of a fork. Keyed as its workflows are: they say when it changes. */
export const approvalQuery = (pipeline: string) =>
  queryOptions({
    queryKey: ['workflows', pipeline, 'approval'],
    queryFn: ({ signal }) => callRh(getApproval, { params: { pipeline_id: pipeline } }, { signal }),
  })

/** The pipelines of forks that wait for approval of their commit, newest first. */
export const waitingForksQuery = (slug: Slug) =>
  pagedQuery(['pipelines', slugText(slug), 'waiting-forks'], (query, signal) =>
    callRh(listWaitingForks, { params: { ...slug }, query }, { signal }),
  )

/** How the checkout keys of a project stand at its provider. */
export const keyRegistrationsQuery = (slug: Slug) =>
  queryOptions({
    queryKey: ['checkout-keys', slugText(slug), 'registrations'],
    queryFn: ({ signal }) => callRh(listKeyRegistrations, { params: { ...slug } }, { signal }),
    refetchInterval: soon,
  })
