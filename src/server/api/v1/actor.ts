import type { UserId } from '#core/ids.ts'
import type { Caller } from '#server/app/callers.ts'

/** In whose name something is done: a token of a project is nobody's. */
export const actorOf = (caller: Caller): UserId | null => (caller.kind === 'user' ? caller.id : null)
