import { Readable } from 'node:stream'
import { deleteRanges } from '#server/store/log-ranges.ts'
import { insertPacked, packedOf } from '#server/store/packed-logs.ts'
import { markPacked, type StepRow } from '#server/store/steps.ts'
import { frameReader, packFrames } from './frames.ts'
import { readLog } from './read-log.ts'
import type { World } from './world.ts'

/** Packed logs up to this size are rows: a file for each step of each job would be millions of tiny files. */
const mostInRow = 32 * 1024

const packedKey = (job: string, step: number): string => `logs/${job}/${step}.zst`

/** Puts the pieces of a finished log together, compressed and seekable. Repeating it, or stopping anywhere in it, loses nothing. */
export async function packLog(world: World, step: StepRow): Promise<void> {
  const { job_id: job, position: index } = step
  const frames = packFrames(readLog(world, job, index, 0, step.log_size))
  if (step.log_size <= mostInRow) {
    const bytes = step.log_size === 0 ? undefined : Buffer.concat(await Array.fromAsync(frames))
    await finish(world, step, bytes)
  } else {
    await world.blobs.put(packedKey(job, index), Readable.from(frames))
    await finish(world, step, null)
  }
  await world.blobs.removeAll(`live/${job}/${index}/`)
}

async function finish(world: World, step: StepRow, bytes: Uint8Array | null | undefined): Promise<void> {
  await world.db.transaction().execute(async (tx) => {
    if (bytes !== undefined) await insertPacked(tx, { job_id: step.job_id, node: step.node, step: step.position, bytes })
    await markPacked(tx, step)
    await deleteRanges(tx, step.job_id, step.position)
  })
}

/** Reads a packed log from a byte to its end, unpacking only what is read. */
export async function* readPacked(world: World, job: string, index: number, from: number): AsyncGenerator<Uint8Array> {
  const row = await packedOf(world.db, { job, step: index })
  if (!row) return
  yield* frameReader(row.bytes ? inMemory(row.bytes) : await inBlob(world, packedKey(job, index)), from)
}

const inMemory = (bytes: Uint8Array) => ({
  size: bytes.length,
  read: async (start: number, end: number) => bytes.subarray(start, end),
})

async function inBlob(world: World, key: string) {
  const size = (await world.blobs.size(key)) ?? 0
  return {
    size,
    async read(start: number, end: number): Promise<Uint8Array> {
      const blob = await world.blobs.get(key, { start, end: end - 1 })
      if (!blob) throw new Error(`Cannot read blob ${key}: it is gone`)
      return Buffer.concat(await Array.fromAsync(blob as AsyncIterable<Buffer>))
    },
  }
}
