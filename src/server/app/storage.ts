import { Readable } from 'node:stream'
import { Refusal } from '#kit/refusal.ts'
import { type Instant, later } from '#kit/brand.ts'
import type { StoredKind } from '#server/store/stored.ts'
import type { World } from './world.ts'

const dayMs = 24 * 60 * 60 * 1000

/** When something may go that is kept for so many days from now on. */
export const daysFrom = (now: Instant, days: number): Instant => later(now, days * dayMs)

/** The blob of a row. */
export const blobKey = (kind: StoredKind, id: string): string => `${kind}/${id}`

/** Something stored that can be read, whole or in part. */
export interface Stored {
  /** The blob that holds it. */
  readonly key: string
  readonly size: number
  /** Opens it; refuses where the blob has gone between two looks. */
  read(span?: { readonly start: number; readonly end: number }): Promise<Readable>
}

/** What a row says of where its bytes are: in a blob of its own, or from `start` on in one that it shares. */
interface StoredRow {
  readonly id: string
  readonly size: number
  readonly blob?: string | null
  readonly start?: number
}

/** A stored thing by its row. */
export const storedAt = (world: World, kind: StoredKind, row: StoredRow): Stored => ({
  key: blobKey(kind, row.blob ?? row.id),
  size: row.size,
  async read(span) {
    const at = row.start ?? 0
    const own = span ?? (row.blob == null ? undefined : { start: 0, end: row.size - 1 })
    if (own && own.end < own.start) return Readable.from([])
    const part = own && { start: at + own.start, end: at + own.end }
    const bytes = await world.blobs.get(blobKey(kind, row.blob ?? row.id), part)
    if (!bytes) throw new Refusal('not-found', 'Not found: it was removed')
    return bytes
  },
})

/** Puts bytes away as they come, durable when it resolves, and says how many they were. More than `most` are refused and leave nothing. */
export async function storeBytes(
  world: World,
  key: string,
  bytes: AsyncIterable<Buffer>,
  most: number,
): Promise<number> {
  let size = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > most) throw tooLarge(most)
      yield chunk
    }
  }
  try {
    await world.blobs.put(key, counted())
    return size
  } catch (error) {
    throw asRefusal(error)
  }
}

/** Why more than so many bytes are not kept. */
export const tooLarge = (most: number) =>
  new Refusal('too-large', `Cannot keep the file as it may have ${most} bytes: it has more`)

/** A full disk is the operator's affair and soon over: the agent is told so, and tries again. A sender that went away hears nothing. */
function asRefusal(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Refusal('full', 'Cannot keep the file: the disk of the server is full')
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNABORTED')
    return new Refusal('invalid', 'Cannot keep the file: it broke off')
  return error
}
