import { truncateSync } from 'node:fs'
import { pause } from '#kit/backoff.ts'
import { markCut, outFile, outputOf } from './job-folder.ts'

/** How often sizes are looked at: a step that writes a gigabyte a second is a hundred megabytes over its limit by then. */
const lookEveryMs = 100

/**
 * Keeps what steps write from filling the disk, until the signal aborts: a file that is larger than `most` is cut back to it,
 * again and again. Steps append, so they go on and notice nothing. Also what a step left running is kept within the limit.
 */
export async function limitOutput(folder: string, steps: number, most: number, signal: AbortSignal): Promise<void> {
  while (most < Infinity) {
    await pause(lookEveryMs, signal)
    if (signal.aborted) return
    for (let step = 0; step < steps; step++) cutBack(folder, step, most)
  }
}

function cutBack(folder: string, step: number, most: number): void {
  if ((outputOf(folder, step)?.bytes ?? 0) <= most) return
  try {
    markCut(folder, step)
    truncateSync(outFile(folder, step), most)
  } catch {
    // Tried again soon: a disk that is full for the mark has room for it once another file was cut.
  }
}

/** What stands in a log where the rest of it was left out. */
export const cutMark = (most: number): string =>
  `\n[The log was cut here: the step printed more than ${sizeOf(most)}, and what followed was not kept]\n`

const sizeOf = (bytes: number) => (bytes >= 2 ** 20 ? `${Math.floor(bytes / 2 ** 20)} MiB` : `${bytes} bytes`)
