import type { LogLines } from '#contract/rh/log.ts'

/** Tells when lines were seen, of times that each hold from a line on; lines must be asked for in order. */
export function lineTimes(times: LogLines['times']): (line: number) => number | undefined {
  let next = 0
  let at: number | undefined
  return (line) => {
    for (let time = times[next]; time !== undefined && time.line <= line; time = times[next]) {
      at = Date.parse(time.at)
      next++
    }
    return at
  }
}

const two = (value: number): string => String(value).padStart(2, '0')

/** A time of day in the zone of the reader, to the tenth of a second: what is known is no more exact. */
export function clockTime(at: number): string {
  const date = new Date(at)
  const tenth = Math.floor(date.getMilliseconds() / 100)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${tenth}`
}
