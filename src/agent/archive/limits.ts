import type { JobSpec } from '#contract/agent.ts'
import type { Limits } from './guard.ts'

/** The longest key of a cache, as the contract has it; a test holds the two together. */
export const longestKey = 900

/** What archives of this job may hold. */
export const limitsOf = ({ storage }: JobSpec): Limits => ({
  mostStored: storage.most_stored_bytes,
  mostUnpacked: storage.most_unpacked_bytes,
})
