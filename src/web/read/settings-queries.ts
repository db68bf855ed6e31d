import { queryOptions } from '@tanstack/react-query'
import { getPolling } from '#contract/rh/polling.ts'
import { getProjectAccess, listNextRuns, listProjectSshKeys } from '#contract/rh/project-page.ts'
import { listProjectTokens } from '#contract/v1/tokens.ts'
import { listCheckoutKeys } from '#contract/v2/checkout-key.ts'
import { getProjectSettings } from '#contract/v2/project-settings.ts'
import { listSchedules } from '#contract/v2/schedule.ts'
import { listVariables } from '#contract/v2/variable.ts'
import { listWebhooks } from '#contract/v2/webhook.ts'
import { type Slug, slugText } from '#web/address.ts'
import { callRh, callV1, callV2 } from '#web/api/calls.ts'
import { pagedQuery } from './pages.ts'

/** How generation 1.1 names a project. */
export const oldName = ({ provider, org, repo }: Slug) => ({ vcs: provider, org, repo })

/** Said to whoever may look at a project and not change it. */
export const onlyMembers = 'Only members of the organization may do this. Ask an owner.'

/** What the reader may do with a project. */
export const accessQuery = (slug: Slug) =>
  queryOptions({
    queryKey: ['access', slugText(slug)],
    queryFn: ({ signal }) => callRh(getProjectAccess, { params: { ...slug } }, { signal }),
    staleTime: 60_000,
  })

/** The variables of a project, masked. */
export const variablesQuery = (slug: Slug) =>
  pagedQuery(['variables', slugText(slug)], (query, signal) =>
    callV2(listVariables, { params: { ...slug }, query }, { signal }),
  )

/** The keys with which a project is checked out. */
export const checkoutKeysQuery = (slug: Slug) =>
  pagedQuery(['checkout-keys', slugText(slug)], (query, signal) =>
    callV2(listCheckoutKeys, { params: { ...slug }, query: { ...query, digest: 'sha256' } }, { signal }),
  )

/** The keys for other hosts that builds get. */
export const sshKeysQuery = (slug: Slug) =>
  queryOptions({
    queryKey: ['ssh-keys', slugText(slug)],
    queryFn: ({ signal }) => callRh(listProjectSshKeys, { params: { ...slug } }, { signal }),
  })

/** The webhooks of a project, by its id. */
export const webhooksQuery = (project: string) =>
  pagedQuery(['webhooks', project], (query, signal) =>
    callV2(listWebhooks, { query: { ...query, 'scope-id': project, 'scope-type': 'project' } }, { signal }),
  )

/** The schedules of a project. */
export const schedulesQuery = (slug: Slug) =>
  pagedQuery(['schedules', slugText(slug)], (query, signal) =>
    callV2(listSchedules, { params: { ...slug }, query }, { signal }),
  )

/** The next times of a schedule. */
export const nextRunsQuery = (schedule: string, changed: string) =>
  queryOptions({
    queryKey: ['next-runs', schedule, changed],
    queryFn: ({ signal }) =>
      callRh(listNextRuns, { params: { schedule_id: schedule }, query: { count: 3 } }, { signal }),
  })

/** What a project's people decided about it. */
export const settingsQuery = (slug: Slug) =>
  queryOptions({
    queryKey: ['settings', slugText(slug)],
    queryFn: ({ signal }) => callV2(getProjectSettings, { params: { ...slug } }, { signal }),
  })

/** How often the repository of a project is looked at. */
export const pollingQuery = (slug: Slug) =>
  queryOptions({
    queryKey: ['polling', slugText(slug)],
    queryFn: ({ signal }) => callRh(getPolling, { params: { ...slug } }, { signal }),
  })

/** The tokens of a project, masked. */
export const projectTokensQuery = (slug: Slug) =>
  queryOptions({
    queryKey: ['project-tokens', slugText(slug)],
    queryFn: ({ signal }) => callV1(listProjectTokens, { params: oldName(slug) }, { signal }),
  })
