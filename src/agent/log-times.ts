import { outputOf } from './job-folder.ts'

/** So many bytes of an output were there when the clock that never jumps showed `at`. */
export interface Mark {
  readonly byte: number
  readonly at: number
}

/** How often the size of an output is looked at: what a reader is told of a line is right to within this. */
const everyMs = 100
/** More than a reader needs; of a step that writes for longer every second mark is let go. */
const mostMarks = 4096
/** Marks that go with one request: a header must hold them. */
const mostSent = 200

/** When the bytes of the output of a step were first seen, however late they are sent. */
export interface OutputTimes extends Disposable {
  /** Marks of the bytes from one to before another: each holds from its byte on. */
  between(from: number, to: number): readonly Mark[]
}

/** Looks at the size of a growing file now and then: a look costs some microseconds, whatever is written. */
export function watchOutput(folder: string, step: number): OutputTimes {
  let marks: Mark[] = []
  const note = (byte: number) => {
    if (byte <= (marks.at(-1)?.byte ?? 0)) return
    marks.push({ byte, at: performance.now() })
    if (marks.length > mostMarks) marks = thinned(marks)
  }
  const timer = setInterval(() => note(outputOf(folder, step)?.bytes ?? 0), everyMs)
  timer.unref()
  return {
    between(from, to) {
      note(to)
      const first = marks.findLastIndex(({ byte }) => byte <= from) + 1
      const after = marks.findIndex(({ byte }) => byte >= to)
      return marks
        .slice(first, after + 1)
        .map(({ at }, index) => ({ byte: index === 0 ? from : marks[first + index - 1]!.byte, at }))
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

const thinned = (marks: readonly Mark[]): Mark[] => marks.filter((_, index) => index % 2 === 0)

/** The times of a log on its way: collected as it is made, and told with the bytes. */
export function logTimes() {
  let marks: Mark[] = []
  return {
    /** Adds marks whose bytes are counted from a byte of the log on. */
    add(from: number, seen: readonly Mark[], length: number): void {
      for (const { byte, at } of seen) {
        if (at - (marks.at(-1)?.at ?? -Infinity) < everyMs) continue
        marks.push({ byte: from + Math.min(byte, length), at })
      }
      if (marks.length > mostMarks) marks = thinned(marks)
    },

    /** For the request that brings these bytes: `byte:age` pairs, ages in milliseconds, as the clocks of two machines differ. */
    tell(start: number, end: number): string {
      // What is before the mark that holds at the start is known to the server.
      marks = marks.slice(
        Math.max(
          0,
          marks.findLastIndex(({ byte }) => byte <= start),
        ),
      )
      const now = performance.now()
      let told = marks.slice(0, 1 + marks.findLastIndex(({ byte }) => byte < end))
      while (told.length > mostSent) told = thinned(told)
      return told.map(({ byte, at }) => `${Math.max(start, byte)}:${Math.round(now - at)}`).join(',')
    },
  }
}
