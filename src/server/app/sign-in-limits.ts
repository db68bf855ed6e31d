import { buckets } from '#kit/buckets.ts'

/** How often passwords may be tried: ten times in a row for a login and then once a minute, more for an address, which may be many people's. */
export const signInLimits = () => ({ login: buckets(1 / 60, 10), address: buckets(1 / 6, 50) })
