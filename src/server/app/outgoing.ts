import { type Instant, later } from '#kit/brand.ts'
import type { Progress } from '#server/store/outgoing-schema.ts'
import type { DueAt, Outbox, Place } from '#server/store/progress.ts'
import type { Db, Tx } from '#server/store/schema.ts'
import type { World } from './world.ts'

/** Waits before each attempt after the first; after the last one it is given up. */
const waits = [30_000, 120_000, 600_000, 1_800_000, 7_200_000]

/** Who waits in a lane: a webhook, an address of a configuration, the chat of a project, a user who gets mail. */
export type LaneKind = 'webhook' | 'notice' | 'chat' | 'mail'

/** One HTTP request that must be made. */
export interface Post {
  readonly url: string
  readonly verifyTls: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One mail that must be sent. Its id is the same in every attempt. */
export interface Mail {
  readonly id: string
  readonly to: string
  readonly title: string
  readonly text: string
  /** Where whoever gets it says that they want no more. */
  readonly stopAt: string
}

/** How something reaches its receiver, or why it never will. */
export type Way = { readonly post: Post } | { readonly mail: Mail } | { readonly objection: string }

/** Something on its way: the same in every attempt. Its place is where it stands in the order of its lane. */
export interface Letter extends Place {
  readonly attempts: number
  readonly way: Way
}

/** What came of an attempt. `text` is the beginning of what the receiver said. */
export type Answer = { readonly status: number; readonly text?: string } | { readonly error: string }

/** What is remembered of a letter from its sending until that is noted; what is in it is not, which may be megabytes for all of them. */
export interface Trace {
  readonly id: string
  /** Those before this one. */
  readonly attempts: number
  readonly url: string
  /** It cannot be sent at any time. */
  readonly isHopeless: boolean
}

/** What is remembered of a letter. */
export const traceOf = ({ id, attempts, way }: Letter): Trace => ({
  id,
  attempts,
  url: 'post' in way ? way.post.url : '',
  isHopeless: 'objection' in way,
})

/** An attempt that was made. */
export interface Attempt {
  readonly letter: Trace
  readonly at: Instant
  readonly tookMs: number
  readonly answer: Answer
}

/** One kind of thing that goes out. All of them wait, are tried again and are given up in the same way. */
export interface Outlet {
  readonly table: Outbox
  /** What is due for a receiver, in the order in which it is to be sent. */
  due(world: World, subject: string, at: DueAt): Promise<readonly Letter[]>
  /** When the next thing for a receiver is due. */
  next(db: Db, subject: string): Promise<{ readonly next_at: string } | undefined>
  /** Keeps what is to be known of attempts later, in the transaction that notes them. */
  record?(world: World, tx: Tx, attempts: readonly Attempt[]): Promise<void>
}

/** What an attempt makes of something that is to be sent: done, tried again later, or given up. */
export function outcomeOf(now: Instant, { isHopeless, attempts: before }: Trace, answer: Answer): Progress {
  const attempts = before + 1
  const status_code = 'status' in answer ? answer.status : null
  const done = status_code !== null && status_code >= 200 && status_code < 300
  const wait = isHopeless ? undefined : waits[attempts - 1]
  const state = done ? 'delivered' : wait === undefined ? 'dead' : 'pending'
  return {
    state,
    attempts,
    status_code,
    error: 'error' in answer ? answer.error.slice(0, 500) : null,
    next_at: state === 'pending' && wait !== undefined ? later(now, wait) : now,
    finished_at: state === 'pending' ? null : now,
  }
}

/** A row of something that is due now. */
export const dueNow = (at: Instant): Progress => ({
  state: 'pending',
  attempts: 0,
  next_at: at,
  status_code: null,
  error: null,
  finished_at: null,
})
