import type { App } from '#server/app/app.ts'
import { isHalfOver, keepLane, type Lane, leaveLane, lettersIn, takeLanes } from '#server/app/lanes.ts'
import type { Answer, Letter } from '#server/app/outgoing.ts'
import type { Loop } from './loop.ts'
import { mailer } from './mailer.ts'
import { poster } from './post.ts'
import { recorder } from './recorder.ts'

/** Lanes at once; those that lead to one host; and to one that did not answer lately. */
const [mostLanes, mostToOrigin, mostToSilent] = [256, 32, 2]
/** What is sent of a lane before others have their turn. */
const inOneGo = 64

/** Sends what is due: each lane in its order, all lanes beside each other. A receiver that hangs holds up its own lane only. */
export function deliveryLoop(app: App): Loop & AsyncDisposable {
  const { world } = app
  const http = poster(world.terms.webhookHosts, mostToOrigin)
  const post = mailer(world.terms.mail)
  const attempts = recorder(world)
  const underway = new Map<string, number>()
  const silent = new Set<string>()
  const serving = new Set<Promise<void>>()
  let stopping = false

  const room = (origin: string) => (silent.has(origin) ? mostToSilent : mostToOrigin) - (underway.get(origin) ?? 0)

  function send({ way }: Letter): Promise<Answer> {
    if ('post' in way) return http.send(way.post)
    return 'mail' in way ? post.send(way.mail) : Promise.resolve({ error: way.objection })
  }

  const areOthersWaiting = (origin: string) => room(origin) <= 0 || serving.size >= mostLanes

  /** Sends what is due in a lane, as long as nobody else can be waiting for its place; true when there is more. */
  async function serve(taken: Lane): Promise<boolean> {
    const { kind, origin } = taken
    let lane: Lane | undefined = taken
    for (;;) {
      const letters = await lettersIn(world, lane, inOneGo)
      const noted: Promise<boolean>[] = []
      for (const letter of letters) {
        const [at, began] = [world.now(), performance.now()]
        lane = isHalfOver(lane, at) ? await keepLane(world, lane) : lane
        if (!lane || stopping) break
        const answer = await send(letter)
        if ('status' in answer) silent.delete(origin)
        else silent.add(origin)
        noted.push(attempts.note({ kind, letter, at, tookMs: Math.round(performance.now() - began), answer }))
      }
      attempts.flush()
      const isNoted = (await Promise.all(noted)).every(Boolean)
      // What was not noted would be sent again at once: the lane rests until its time is over.
      if (!lane || !isNoted) return false
      if (letters.length < inOneGo || stopping || areOthersWaiting(origin)) return leaveLane(world, lane)
    }
  }

  async function begin(lane: Lane): Promise<void> {
    const { origin } = lane
    underway.set(origin, (underway.get(origin) ?? 0) + 1)
    let more = false
    try {
      more = await serve(lane)
    } catch (error) {
      // It is free again when its time is over.
      world.log.error('Cannot send what waits in a lane', { lane: lane.id, error: String(error) })
    }
    const wasFull = areOthersWaiting(origin)
    const left = (underway.get(origin) ?? 1) - 1
    if (left > 0) underway.set(origin, left)
    else underway.delete(origin)
    if ((more || wasFull) && !stopping) world.bell.ring('deliveries')
  }

  return {
    name: 'deliveries',
    topics: ['deliveries'],
    everyMs: 5_000,
    async turn() {
      const free = mostLanes - serving.size
      if (free <= 0) return false
      const full = [...underway.keys()].filter((origin) => room(origin) <= 0)
      const { lanes, more } = await takeLanes(world, free, full, room)
      for (const lane of lanes) {
        const served = begin(lane).finally(() => serving.delete(served))
        serving.add(served)
      }
      return more
    },
    async [Symbol.asyncDispose]() {
      stopping = true
      await Promise.allSettled(serving)
      await http.close()
      post.close()
    },
  }
}
