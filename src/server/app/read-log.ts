import { type LogName, rangesFrom, type RangeRow } from '#server/store/log-ranges.ts'
import { stepOf } from '#server/store/steps.ts'
import { waitFor } from './bell.ts'
import { logTimes, type TimeMark } from './log-times.ts'
import { pieceKey, spoolKey } from './log-keys.ts'
import { readPacked } from './packed-log.ts'
import type { World } from './world.ts'

/** The bytes of a step's log that exist now, from one byte up to (not with) another, in order. */
export async function* readLog(
  world: World,
  job: string,
  index: number,
  from: number,
  to = Infinity,
  node = 0,
): AsyncGenerator<Uint8Array> {
  const log = { job, node, step: index }
  let at = from
  let vain = 0
  while (at < to) {
    const before = at
    const some = await someOf(world, log, at)
    if (!some) return
    for await (const bytes of some) {
      const wanted = bytes.subarray(0, Math.min(bytes.length, to - at))
      if (wanted.length > 0) yield wanted
      at += wanted.length
      if (at >= to) break
    }
    vain = at === before ? vain + 1 : 0
    // Packing moves bytes once; those that are nowhere after several looks are lost.
    if (vain > 5) throw new Error(`Cannot read the log of job ${job}, step ${index}: its bytes from ${at} are gone`)
  }
}

/** A stretch that begins exactly at a byte; none where the log ends. An empty one was packed between two looks: look again. */
async function someOf(world: World, log: LogName, at: number): Promise<AsyncIterable<Uint8Array> | undefined> {
  const ranges = await rangesFrom(world.db, log, at)
  if (ranges.length > 0) return pieces(world, log, ranges, at)
  const step = await stepOf(world.db, log.job, log.step, log.node)
  return step?.log_state === 'packed' && at < step.log_size ? readPacked(world, log, at) : undefined
}

async function* pieces(
  world: World,
  log: LogName,
  ranges: readonly RangeRow[],
  from: number,
): AsyncGenerator<Uint8Array> {
  let at = from
  for (const range of ranges) {
    const skip = at - range.start
    if (range.bytes !== null) {
      yield range.bytes.subarray(skip)
    } else {
      const [key, first] = range.at === null ? [pieceKey(log, range.start), 0] : [spoolKey(log), range.at]
      const blob = await world.blobs.get(key, { start: first + skip, end: first + range.size - 1 })
      // Packed and removed between the look and the read.
      if (!blob) return
      for await (const chunk of blob as AsyncIterable<Buffer>) yield chunk
    }
    at = range.start + range.size
  }
}

/** What a follower gets: bytes and where they end, before them when they were seen, and at last the size of the whole. */
export type LogNews =
  | { readonly seen: TimeMark }
  | { readonly bytes: Uint8Array; readonly offset: number }
  | { readonly end: number }

/** Follows a log from any byte to its end: whoever comes late sees the same bytes as whoever came early. */
export async function* followLog(
  world: World,
  job: string,
  index: number,
  from: number,
  signal: AbortSignal,
  node = 0,
): AsyncGenerator<LogNews> {
  let at = from
  while (!signal.aborted) {
    // What comes while this is read is told in the next round, with its time.
    const times = await logTimes(world, { job, node, step: index }, at)
    const marks = times.marks.slice(
      Math.max(
        0,
        times.marks.findLastIndex(({ byte }) => byte <= at),
      ),
    )
    for await (const bytes of readLog(world, job, index, at, times.end, node)) {
      while (marks[0] && marks[0].byte < at + bytes.length) yield { seen: marks.shift()! }
      at += bytes.length
      yield { bytes, offset: at }
      if (signal.aborted) return
    }
    const state = await waitFor(
      world.bell,
      [`log:${job}`, `job:${job}`],
      () => news(world, { job, node, step: index }, at),
      {
        ms: 15_000,
        signal,
      },
    )
    if (state === 'whole') {
      yield { end: at }
      return
    }
    // Something to send, so that a dead connection is noticed.
    if (state === undefined) yield { bytes: new Uint8Array(), offset: at }
  }
}

async function news(
  world: World,
  { job, node, step: index }: LogName,
  at: number,
): Promise<'more' | 'whole' | undefined> {
  const step = await stepOf(world.db, job, index, node)
  if (!step) return undefined
  if (step.log_size > at) return 'more'
  return step.log_state === 'live' ? undefined : 'whole'
}
