import { sideThread } from '#server/app/beside.ts'
import type { Answer, Post } from '#server/app/outgoing.ts'

/** What the thread that posts is told when it starts. */
export interface PostPlace {
  readonly hosts: readonly string[]
  readonly connections: number
  /** Its one number is 1 as soon as no further request may begin. */
  readonly stopped: Int32Array
}

/** Requests to one receiver, to be made one after another, none of them begun later than `forMs` from now. */
export interface Round {
  readonly posts: readonly Post[]
  readonly forMs: number
}

/** A request that was made: when it began, counted from the beginning of its round. */
export interface Posted {
  readonly afterMs: number
  readonly tookMs: number
  readonly answer: Answer
}

const program = new URL(`./post-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)

/**
 * Requests to receivers, made in a thread: one costs four times what it takes to read and note a delivery, and none of it is the
 * engine's affair. Its memory is its own and is given back when nothing was sent for a minute.
 */
export function posting(hosts: readonly string[], connections: number) {
  const stopped = new Int32Array(new SharedArrayBuffer(4))
  const place: PostPlace = { hosts, connections, stopped }
  const thread = sideThread(place, { resourceLimits: { maxYoungGenerationSizeMb: 16 } })
  return {
    /** Makes requests in their order, up to the first that gets no answer; the others were not made. */
    post: (round: Round): Promise<readonly Posted[]> => thread.ask(program, round) as Promise<readonly Posted[]>,
    /** From now on no request begins. */
    stop: (): void => void Atomics.store(stopped, 0, 1),
    close: thread.close,
  }
}
