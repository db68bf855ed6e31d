import { Readable } from 'node:stream'
import { deleteRanges } from '#server/store/log-ranges.ts'
import { insertPacked } from '#server/store/packed-logs.ts'
import { markPacked, type StepRow } from '#server/store/steps.ts'
import { type Fill, packFrames } from './frames.ts'
import { logPath } from './log-keys.ts'
import { timesCollector } from './log-times.ts'
import { countLines, lineCountsKey } from './line-counts.ts'
import { packedKey } from './packed-log.ts'
import { pieceReader } from './piece-reader.ts'
import type { World } from './world.ts'

/** Packed logs up to this size are rows: a file for each step of each job would be millions of tiny files. */
const mostInRow = 32 * 1024

/** Puts the pieces of a finished log together, compressed and seekable. Repeating it, or stopping anywhere in it, loses nothing. */
export async function packLog(world: World, step: StepRow): Promise<void> {
  const name = { job: step.job_id, node: step.node, step: step.position }
  const times = timesCollector()
  await using log = pieceReader(world, name, (range) => times.add(range.times))
  const counts: number[] = []
  const frames = packFrames(
    counting(
      whole((buffer) => log.fill(buffer), step),
      counts,
    ),
  )
  if (step.log_size <= mostInRow) {
    const bytes = step.log_size === 0 ? undefined : Buffer.concat(await Array.fromAsync(frames))
    await finish(world, step, bytes, times.text())
  } else {
    await world.blobs.put(packedKey(name), Readable.from(frames))
    await world.blobs.put(lineCountsKey(name), Buffer.from(Uint32Array.from(counts).buffer))
    await finish(world, step, null, times.text())
  }
  await world.blobs.removeAll(`live/${logPath(name)}/`)
}

/** Counts the lines of each frame on the way, so that any line of a large log is found without reading what is before it. */
function counting(fill: Fill, counts: number[]): Fill {
  return async (buffer) => {
    const filled = await fill(buffer)
    if (filled > 0) counts.push(countLines(buffer.subarray(0, filled)))
    return filled
  }
}

/** The log, or an error where bytes are missing or too many: the pieces are thrown away afterwards. */
function whole(fill: Fill, { job_id: job, position: index, log_size: size }: StepRow): Fill {
  let seen = 0
  return async (buffer) => {
    const filled = await fill(buffer)
    seen += filled
    if (filled === 0 && seen !== size)
      throw new Error(
        `Cannot pack the log of job ${job}, step ${index}, as it must have ${size} bytes: ${seen} were found`,
      )
    return filled
  }
}

async function finish(
  world: World,
  step: StepRow,
  bytes: Uint8Array | null | undefined,
  times: string | null,
): Promise<void> {
  await world.db.transaction().execute(async (tx) => {
    if (!(await markPacked(tx, step))) return
    if (bytes !== undefined)
      await insertPacked(tx, { job_id: step.job_id, node: step.node, step: step.position, bytes, times })
    await deleteRanges(tx, { job: step.job_id, node: step.node, step: step.position })
  })
}
