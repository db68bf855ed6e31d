import { queryOptions } from '@tanstack/react-query'
import { getPreferences } from '#contract/rh/notifications.ts'
import { listUserSshKeys } from '#contract/rh/ssh-keys.ts'
import { listSessions } from '#contract/rh/users.ts'
import { listUserTokens } from '#contract/v1/tokens.ts'
import { callRh, callV1 } from '#web/api/calls.ts'

/** The tokens of the reader, masked. */
export const userTokensQuery = queryOptions({
  queryKey: ['user-tokens'],
  queryFn: ({ signal }) => callV1(listUserTokens, {}, { signal }),
})

/** The public keys by which the reader comes into jobs. */
export const userKeysQuery = queryOptions({
  queryKey: ['user-ssh-keys'],
  queryFn: ({ signal }) => callRh(listUserSshKeys, {}, { signal }),
})

/** The browsers that are signed in as the reader. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => callRh(listSessions, {}, { signal }),
})

/** How the reader is told about workflows that ended. */
export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: ({ signal }) => callRh(getPreferences, {}, { signal }),
  staleTime: 60_000,
})
