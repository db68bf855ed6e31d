/* oxlint-disable no-control-regex -- they are what this file is about */

/** Marks of a terminal that only change how letters look. */
const colour = /\u001b\[[0-9;:]*m/g
const sequence =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[PX^_][^\u001b]*\u001b\\|[ -/]*[0-~])/g
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** One line of a log as it may be shown: colours at most, no other command to the terminal, and of what was written over itself the last. */
export function calmLine(line: string, colours: boolean): string {
  const last = line.replace(/\r+$/, '').split('\r').at(-1) ?? ''
  if (!colours) return last.replaceAll(sequence, '').replaceAll(control, '')
  const marks = last.match(colour) ?? []
  const plain = last.split(colour).map((part) => part.replaceAll(sequence, '').replaceAll(control, ''))
  const shown = plain.map((part, i) => part + (marks[i] ?? '')).join('')
  return marks.length > 0 ? `${shown}\u001b[0m` : shown
}

/** The last lines of a log, without empty ones at its end. */
export function lastLines(text: string, most: number, colours: boolean): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .slice(-most)
    .map((line) => calmLine(line, colours))
}

/** A time as people read it: `0.4s`, `12s`, `3m 05s`, `1h 02m`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 10) return `${seconds.toFixed(1)}s`
  if (seconds < 60) return `${Math.round(seconds)}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${two(Math.floor(seconds % 60))}s`
  return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`
}

const two = (number: number): string => String(number).padStart(2, '0')
