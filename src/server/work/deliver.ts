import { later } from '#kit/brand.ts'
import type { App } from '#server/app/app.ts'
import {
  isHalfOver,
  keepLane,
  type Lane,
  laneStart,
  leaveLane,
  lettersIn,
  type Made,
  takeLanes,
} from '#server/app/lanes.ts'
import { type Letter, type Post, traceOf } from '#server/app/outgoing.ts'
import type { Loop } from './loop.ts'
import { mailer } from './mailer.ts'
import { type Posted, posting } from './posting.ts'
import { recorder } from './recorder.ts'

/** Lanes at once; those that lead to one host; and to one that did not answer lately. */
const [mostLanes, mostToOrigin, mostToSilent] = [256, 32, 2]
/** What is sent of a lane before others have their turn. */
const inOneGo = 64
/** What may be sent in a lane before what was sent earlier is noted: after a crash it is sent again. */
const mostUnnoted = 512
/** With no more lanes than this, what is sent next is read while they wait for answers; more of them fill each other's waits. */
const mostAhead = 4

/** A lane in which everything was sent for now, and whether all of it could be noted. Without the lane, others have it meanwhile. */
interface Sent {
  readonly lane: Lane | undefined
  readonly isNoted: Promise<boolean>
}

/** Sends what is due: each lane in its order, all lanes beside each other. A receiver that hangs holds up its own lane only. */
export function deliveryLoop(app: App): Loop & AsyncDisposable {
  const { world } = app
  const http = posting(world.terms.webhookHosts, mostToOrigin)
  const mail = mailer(world.terms.mail)
  const attempts = recorder(world)
  const underway = new Map<string, number>()
  const silent = new Set<string>()
  const serving = new Set<Promise<void>>()
  let sending = 0
  let stopping = false

  const room = (origin: string) => (silent.has(origin) ? mostToSilent : mostToOrigin) - (underway.get(origin) ?? 0)
  const areOthersWaiting = (origin: string) => room(origin) <= 0 || sending >= mostLanes

  /** Sends the first of these letters, in their order: requests in one round, whatever else one by one. */
  async function dispatch(letters: readonly Letter[], forMs: number): Promise<readonly Posted[]> {
    const posts = postsBefore(letters)
    if (posts.length > 0) return http.post({ posts, forMs })
    const way = letters[0]?.way
    if (!way || 'post' in way) return []
    const began = performance.now()
    const answer = 'mail' in way ? await mail.send(way.mail) : { error: way.objection }
    return [{ afterMs: 0, tookMs: performance.now() - began, answer }]
  }

  /** Sends letters of a lane while it is ours for certain. What is in them is held by nobody here meanwhile. */
  async function round(lane: Lane, letters: readonly Letter[]): Promise<readonly Made[]> {
    const traces = letters.map(traceOf)
    const began = world.now()
    const posted = await dispatch(letters, Date.parse(lane.keep_at) - Date.parse(began))
    return posted.map(({ afterMs, tookMs, answer }, i): Made => {
      const at = later(began, Math.round(afterMs))
      return { kind: lane.kind, letter: traces[i]!, at, tookMs: Math.round(tookMs), answer }
    })
  }

  /** Sends what is due in a lane, as long as nobody else can be waiting for its place. */
  async function send(taken: Lane, first: number): Promise<Sent> {
    const { origin } = taken
    let unnoted = 0
    let isNoted: Promise<boolean> = Promise.resolve(true)
    let isLost = false

    function note(made: readonly Made[]): void {
      unnoted += made.length
      const before = isNoted
      isNoted = attempts.note(made).then(async (isSo) => {
        if (isSo) unnoted -= made.length
        else isLost = true
        return (await before) && isSo
      })
    }

    let lane: Lane | undefined = taken
    let place = laneStart
    let ahead: Promise<readonly Letter[]> | undefined
    for (let most = first; ; most = inOneGo) {
      if (isHalfOver(lane, world.now())) lane = await keepLane(world, lane)
      if (!lane) return { lane, isNoted }
      const letters = await (ahead ?? lettersIn(world, lane, most, place))
      const { length, [length - 1]: last } = letters
      const underWay = round(lane, letters)
      ahead = length === most && sending <= mostAhead ? lettersIn(world, lane, inOneGo, last) : undefined
      // Who needs it hears of its failure.
      ahead?.catch(() => {})
      const made = await underWay
      const end = made.at(-1)
      if (end) {
        if ('status' in end.answer) silent.delete(origin)
        else silent.add(origin)
        place = letters[made.length - 1] ?? place
        note(made)
      }
      // What was not sent comes before what was read ahead.
      if (made.length < length) ahead = undefined
      if (unnoted >= mostUnnoted) await isNoted
      const isAll = made.length === length && length < most
      if (isAll || isLost || stopping || areOthersWaiting(origin)) return { lane, isNoted }
    }
  }

  async function serve(taken: Lane, first: number): Promise<void> {
    const { origin, id } = taken
    underway.set(origin, (underway.get(origin) ?? 0) + 1)
    sending += 1
    let wasFull = false
    try {
      const { lane, isNoted } = await send(taken, first).finally(() => {
        wasFull = areOthersWaiting(origin)
        leavePlace(origin)
      })
      // Others have its place while it is noted what was sent.
      if (wasFull && !stopping) world.bell.ring('deliveries')
      // What could not be noted would be sent again at once: the lane rests until its time is over.
      if (!(await isNoted) || !lane) return
      if ((await leaveLane(world, lane)) && !stopping) world.bell.ring('deliveries')
    } catch (error) {
      // It is free again when its time is over.
      world.log.error('Cannot send what waits in a lane', { lane: id, error: String(error) })
      if (wasFull && !stopping) world.bell.ring('deliveries')
    }
  }

  function leavePlace(origin: string): void {
    const left = (underway.get(origin) ?? 1) - 1
    if (left > 0) underway.set(origin, left)
    else underway.delete(origin)
    sending -= 1
    // Nobody is left for whom to wait.
    if (sending === 0) attempts.flush()
  }

  return {
    name: 'deliveries',
    topics: ['deliveries'],
    everyMs: 5_000,
    async turn() {
      const free = mostLanes - sending
      if (free <= 0) return false
      const full = [...underway.keys()].filter((origin) => room(origin) <= 0)
      const { lanes, more } = await takeLanes(world, free, full, room)
      for (const [i, lane] of lanes.entries()) {
        // Those that begin together do not end together: or we would have nothing to do, and then all of it at once.
        const served = serve(lane, Math.ceil((inOneGo * (i + 1)) / lanes.length)).finally(() => serving.delete(served))
        serving.add(served)
      }
      return more
    },
    async [Symbol.asyncDispose]() {
      stopping = true
      http.stop()
      await Promise.allSettled(serving)
      await http.close()
      mail.close()
    },
  }
}

/** The requests before the first letter that goes another way. */
function postsBefore(letters: readonly Letter[]): readonly Post[] {
  const posts: Post[] = []
  for (const { way } of letters) {
    if (!('post' in way)) break
    posts.push(way.post)
  }
  return posts
}
