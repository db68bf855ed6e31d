import type { ServiceMark } from '#agent/executors/executor.ts'

/** Lines of two outputs may be kept in another order than that of their times, by less than this: microseconds. */
const disorder = 1_000_000

/**
 * Takes lines as an engine sends them, each with its time before it, without the first so many, which were read before;
 * what is left of a batch is handed on with the mark behind it.
 */
export function lineReader(known: number, take: (bytes: Buffer, mark: ServiceMark) => void) {
  let toSkip = known
  let pieces: Buffer[] = []
  let gathered: Buffer[] = []
  /** When the lines of the last moments were printed. */
  let times: number[] = []
  let latest = 0

  function line(bytes: Buffer): void {
    const blank = bytes.indexOf(0x20)
    const at = microsecondsIn(bytes.toString('latin1', 0, Math.max(blank, 0)))
    times.push(at ?? latest)
    latest = Math.max(latest, at ?? 0)
    if (toSkip > 0) toSkip--
    else gathered.push(at === undefined ? bytes : bytes.subarray(blank + 1))
  }

  return {
    frame(piece: Buffer, isLast: boolean): void {
      // Views of what came just now, which is used before more comes; a part of a line waits for the rest.
      pieces.push(isLast ? piece : Buffer.from(piece))
      if (!isLast) return
      line(pieces.length === 1 ? piece : Buffer.concat(pieces))
      pieces = []
    },
    flush(): void {
      const since = Math.max(0, latest - disorder)
      times = times.filter((time) => time >= since)
      if (gathered.length === 0) return
      const bytes = Buffer.concat(gathered)
      gathered = []
      take(bytes, { since, lines: times.length })
    },
  }
}

/** A time as engines write it, to nine digits; undefined for what is none. */
function microsecondsIn(text: string): number | undefined {
  const [, seconds, digits = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  if (seconds === undefined) return undefined
  return (
    Date.parse(`${seconds}${text.slice(text.search(/(?:Z|[+-]\d\d:\d\d)$/))}`) * 1000 +
    Number(digits.padEnd(6, '0').slice(0, 6))
  )
}
