import { type Instant, later } from '#kit/brand.ts'
import * as store from '#server/store/lanes.ts'
import { type Place, writeProgress } from '#server/store/progress.ts'
import { noticeOutlet } from './builds/notices.ts'
import { webhookOutlet } from './deliveries.ts'
import { chatOutlet, mailOutlet } from './message-outlets.ts'
import { type Attempt, type LaneKind, type Letter, type Outlet, outcomeOf } from './outgoing.ts'
import type { World } from './world.ts'

/*
 * Each receiver has a lane, and whoever has taken it sends what is due in it, one after another: so order is kept, and a receiver
 * that hangs holds up nobody else. A server that dies with a lane leaves it to others after a minute; what it had sent and not yet
 * noted is sent again, with the same ids.
 */

/** How long a server that took a lane may stay silent before another one takes it. */
export const takenMs = 60_000

/** A lane that this server has. */
export interface Lane {
  readonly id: string
  readonly kind: LaneKind
  readonly subject: string
  readonly origin: string
  readonly next_at: string
  readonly taken_until: string
  readonly keep_at: Instant
}

const outlets: Readonly<Record<LaneKind, Outlet>> = {
  webhook: webhookOutlet,
  notice: noticeOutlet,
  chat: chatOutlet,
  mail: mailOutlet,
}

/** More lanes than this are not looked at for one turn. */
const mostLooked = 512

/** Takes lanes in which something is due. `room` says how many more may lead to an origin; `full` are those that have no room at all. */
export async function takeLanes(
  world: World,
  most: number,
  full: readonly string[],
  room: (origin: string) => number,
): Promise<{ readonly lanes: readonly Lane[]; readonly more: boolean }> {
  const now = world.now()
  const until = later(now, takenMs)
  return world.db.transaction().execute(async (tx) => {
    const found = await store.freeLanes(tx, now, full, mostLooked)
    const counts = new Map<string, number>()
    const chosen = found.filter(({ origin }) => {
      const count = counts.get(origin) ?? 0
      if (count >= room(origin)) return false
      counts.set(origin, count + 1)
      return true
    })
    const times = { taken_until: until, keep_at: later(now, takenMs / 2) }
    const lanes = chosen.slice(0, most).map((row) => ({ ...row, kind: row.kind as LaneKind, ...times }))
    await store.takeLanes(
      tx,
      lanes.map(({ id }) => id),
      until,
    )
    return { lanes, more: lanes.length > 0 && lanes.length < found.length }
  })
}

/** Before everything that may be due. */
export const laneStart: Place = { next_at: '', id: '' }

/** What is due in a lane behind a place, in the order in which it is to be sent. */
export const lettersIn = (
  world: World,
  { kind, subject }: Lane,
  most: number,
  after: Place = laneStart,
): Promise<readonly Letter[]> =>
  outlets[kind].due(world, subject, { now: world.now(), most, afterAt: after.next_at, afterId: after.id })

/** Whether a lane must be kept before anything else is sent in it. */
export const isHalfOver = (lane: Lane, now: Instant): boolean => now >= lane.keep_at

/** Keeps a lane beyond its time; nothing when others have it meanwhile. */
export async function keepLane(world: World, lane: Lane): Promise<Lane | undefined> {
  const now = world.now()
  const until = later(now, takenMs)
  const kept = await world.db.transaction().execute((tx) => store.renewLane(tx, lane, until))
  return kept ? { ...lane, taken_until: until, keep_at: later(now, takenMs / 2) } : undefined
}

/** Gives a lane back; true when something in it is due at once. */
export async function leaveLane(world: World, lane: Lane): Promise<boolean> {
  const next = await world.db.transaction().execute(async (tx) => {
    if (!(await store.lockLane(tx, lane))) return undefined
    const waiting = await outlets[lane.kind].next(tx, lane.subject)
    await store.leaveLane(tx, lane.id, waiting?.next_at)
    return waiting?.next_at
  })
  return next !== undefined && next <= world.now()
}

/** An attempt and the kind of lane it was made in. */
export interface Made extends Attempt {
  readonly kind: LaneKind
}

/** Writes down what came of attempts, all of them in one transaction. */
export async function noteAttempts(world: World, made: readonly Made[]): Promise<void> {
  const now = world.now()
  const byKind = Map.groupBy(made, ({ kind }) => kind)
  await world.db.transaction().execute(async (tx) => {
    for (const [kind, attempts] of byKind) {
      const progressed = attempts.map(({ letter, answer }) => ({ id: letter.id, to: outcomeOf(now, letter, answer) }))
      await writeProgress(tx, outlets[kind].table, progressed)
      await outlets[kind].record?.(world, tx, attempts)
    }
  })
}

/** A lane for something that is due at an instant. */
export const laneOf = (kind: LaneKind, subject: string, url: string | undefined, at: Instant): store.LaneRow => ({
  id: `${kind}:${subject}`,
  kind,
  subject,
  origin: url !== undefined && URL.canParse(url) ? new URL(url).origin : kind,
  next_at: at,
  taken_until: null,
})

/** After the death of the only server: what it was sending is sent again at once, with the same ids. */
export const resumeDeliveries = (world: World): Promise<void> =>
  world.db.transaction().execute((tx) => store.freeAllLanes(tx))
