import { once } from 'node:events'
import { PassThrough, pipeline, Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import type { PlaceFiles } from '#agent/executors/place-files.ts'
import { StepFailed } from '#agent/step-failed.ts'
import { type Guard, type Limits, openGuard } from './guard.ts'
import { rootRecord } from './pack.ts'
import { type Entry, tarParts } from './tar-parts.ts'

/** How an archive is unpacked. */
export interface Unpacking {
  readonly files: PlaceFiles
  readonly limits: Limits
  /** The folder for what follows this label; undefined for one that nobody knows. */
  readonly rootOf: (label: string | undefined) => string | undefined
  /** Called with each entry before it is written; throws to stop. */
  readonly admit?: (entry: Entry) => void
}

const gathered = 256 * 1024

/** Unpacks a stored archive as it comes. Nothing of an entry is written before the guard has let it in. */
export async function unpackArchive(stored: AsyncIterable<Buffer>, how: Unpacking): Promise<Guard> {
  const guard = openGuard(how.limits)
  let size = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of stored) {
      size += chunk.length
      yield chunk
    }
  }
  const source = Readable.from(counted(), { objectMode: false, highWaterMark: gathered })
  const plain = pipeline(source, createZstdDecompress({ chunkSize: gathered }), () => {})
  let into: Feed | undefined
  try {
    for await (const part of tarParts(plain as AsyncIterable<Buffer>)) {
      if (part.type === 'records') {
        const label = part.records.get(rootRecord)
        if (label === undefined) continue
        await into?.end()
        into = feed(how, label)
        continue
      }
      into ??= feed(how, undefined)
      if (part.type === 'entry') {
        guard.admit(part.entry)
        how.admit?.(part.entry)
        await into.write(part.head)
      } else {
        if (part.type === 'content') guard.count(part.bytes.length, size)
        await into.write(part.bytes)
      }
    }
    await into?.end()
    return guard
  } catch (error) {
    await into?.break(error as Error)
    throw isBroken(error) ? new StepFailed(`Cannot unpack the archive: it is broken (${error.message})`) : error
  } finally {
    plain.destroy()
  }
}

interface Feed {
  write(bytes: Buffer): Promise<void>
  end(): Promise<void>
  break(error: Error): Promise<void>
}

/** A stream into a folder of the place, written with the manners that keep memory small. */
function feed({ files, rootOf }: Unpacking, label: string | undefined): Feed {
  const root = rootOf(label)
  if (root === undefined) throw new StepFailed(`Cannot unpack the archive: it was made for ${label ?? 'another use'}`)
  const stream = new PassThrough({ highWaterMark: gathered })
  // Whoever reads it hears of a failure, once there is a reader.
  stream.on('error', () => {})
  const failures: unknown[] = []
  const unpacked = files.unpack(root, stream).catch((error: unknown) => {
    failures.push(error)
    stream.destroy()
  })
  const check = () => {
    if (failures.length > 0) throw failures[0]
  }
  let pieces: Buffer[] = []
  let size = 0

  async function flush(): Promise<void> {
    check()
    const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
    pieces = []
    size = 0
    // Destroyed means that whoever reads has failed, and says why a moment later.
    if (!stream.write(bytes) && !stream.destroyed) await Promise.race([once(stream, 'drain'), unpacked])
    check()
  }

  return {
    async write(bytes) {
      pieces.push(bytes)
      size += bytes.length
      if (size >= gathered) await flush()
    },
    async end() {
      pieces.push(Buffer.alloc(1024))
      await flush()
      stream.end()
      await unpacked
      check()
    },
    async break(error) {
      stream.destroy(error)
      await unpacked
    },
  }
}

const isBroken = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^Z(STD)?_/.test(error.code)
