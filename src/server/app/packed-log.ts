import type { LogName } from '#server/store/log-ranges.ts'
import { packedOf } from '#server/store/packed-logs.ts'
import { frameReader } from './frames.ts'
import { logPath } from './log-keys.ts'
import type { World } from './world.ts'

/** The blob of a packed log that is too large for a row. */
export const packedKey = (log: LogName): string => `logs/${logPath(log)}.zst`

/** Reads a packed log from a byte to its end, unpacking only what is read. */
export async function* readPacked(world: World, log: LogName, from: number): AsyncGenerator<Uint8Array> {
  const row = await packedOf(world.db, { job: log.job, node: log.node, step: log.step })
  if (!row) return
  yield* frameReader(row.bytes ? inMemory(row.bytes) : await inBlob(world, packedKey(log)), from)
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
