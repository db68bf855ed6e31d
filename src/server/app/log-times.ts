import type { Instant } from '#kit/brand.ts'
import { type LogName, timesFrom } from '#server/store/log-ranges.ts'
import { packedOf } from '#server/store/packed-logs.ts'
import type { World } from './world.ts'

/** The bytes of a log from one on were first seen at a time, in milliseconds since 1970; until the next mark. */
export interface TimeMark {
  readonly byte: number
  readonly at: number
}

/** Kept of one log: of one that is written for longer than about a quarter of an hour, fewer than came. */
const mostMarks = 10_000

/** What is kept of the times that an agent tells with a piece: ages become times of our own clock, as its clock may be wrong. */
export function timesAt(told: string | undefined, now: Instant): string | null {
  if (told === undefined || told === '') return null
  const at = Date.parse(now)
  return written(pairsOf(told).map(([byte, age]) => ({ byte, at: at - age })))
}

const pairsOf = (text: string): readonly (readonly [number, number])[] =>
  text.split(',').map((pair) => {
    const [one = '', other = ''] = pair.split(':')
    return [Number(one), Number(other)]
  })

/** Each pair is the difference to the one before: an hour of a log takes a hundred kilobytes at most. */
export function written(marks: readonly TimeMark[]): string {
  let before: TimeMark = { byte: 0, at: 0 }
  return marks
    .map((mark) => {
      const pair = `${mark.byte - before.byte}:${mark.at - before.at}`
      before = mark
      return pair
    })
    .join(',')
}

/** The marks that `written` wrote. */
export function read(text: string | null): readonly TimeMark[] {
  if (text === null || text === '') return []
  let [byte, at] = [0, 0]
  return pairsOf(text).map(([more, later]) => {
    byte += more
    at += later
    return { byte, at }
  })
}

/** Gathers the times of a log from those of its pieces, in order. */
export function timesCollector() {
  let marks: TimeMark[] = []
  let gap = 100
  return {
    add(text: string | null): void {
      for (const mark of read(text)) if (mark.at - (marks.at(-1)?.at ?? -Infinity) >= gap) marks.push(mark)
      if (marks.length > mostMarks) {
        gap *= 2
        marks = marks.filter((_, index) => index % 2 === 0)
      }
    },
    text: (): string | null => (marks.length === 0 ? null : written(marks)),
  }
}

/** What is known of the times of a log from a byte on. */
export interface KnownTimes {
  readonly marks: readonly TimeMark[]
  /** Marks of bytes from here on may come yet. */
  readonly end: number
}

/** When the bytes of a log from one on were seen: of one that is being written, of so many of its next pieces. */
export async function logTimes(world: World, log: LogName, from: number, pieces = 500): Promise<KnownTimes> {
  const rows = await timesFrom(world.db, { job: log.job, node: log.node, step: log.step, from, most: pieces })
  const last = rows.at(-1)
  if (last) return { marks: rows.flatMap(({ times }) => read(times)), end: last.start + last.size }
  const packed = await packedOf(world.db, { job: log.job, node: log.node, step: log.step })
  return { marks: read(packed?.times ?? null), end: packed ? Infinity : from }
}

/** When a byte was seen, of marks in order. */
export function timeOf(marks: readonly TimeMark[], byte: number): number | undefined {
  let [low, high] = [0, marks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (marks[middle]!.byte <= byte) low = middle + 1
    else high = middle
  }
  return marks[low - 1]?.at
}
