import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { PlaceFiles, Sink } from '#agent/executors/place-files.ts'
import { failureWithFiles } from '#agent/executors/refused-by-files.ts'
import { StepFailed } from '#agent/step-failed.ts'
import { openTurns, type Turns } from '#agent/turns.ts'
import { type Guard, type Limits, openGuard } from './guard.ts'
import { BrokenArchive } from './broken.ts'
import { pieceBytes, rootRecord } from './pack.ts'
import { type Entry, openTar, type Part } from './tar-parts.ts'
import { unpacked } from './unpacked.ts'

/** How an archive is unpacked. */
export interface Unpacking {
  readonly files: PlaceFiles
  readonly limits: Limits
  /** The folder for what follows this label; undefined for one that nobody knows. */
  readonly rootOf: (label: string | undefined) => string | undefined
  /** Called with each entry before it is written; throws to stop. */
  readonly admit?: (entry: Entry) => void
  readonly turns?: Turns
}

/** Unpacks a stored archive as it comes. Nothing of an entry is written before the guard has let it in. */
export async function unpackArchive(stored: AsyncIterable<Buffer>, how: Unpacking): Promise<Guard> {
  const guard = openGuard(how.limits)
  const { turns = openTurns() } = how
  let size = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of stored) {
      size += chunk.length
      yield chunk
    }
  }
  const tar = openTar()
  let into: Sink | undefined

  function take(part: Exclude<Part, { readonly type: 'records' }>): void {
    into ??= sinkFor(how, undefined)
    if (part.type === 'entry') {
      guard.admit(part.entry)
      how.admit?.(part.entry)
      into.entry(part.entry, part.head)
    } else if (part.type === 'content') {
      guard.count(part.bytes.length, size)
      into.content(part.bytes)
    } else into.filling(part.bytes)
  }

  try {
    for await (const chunk of unpacked(counted())) {
      for (const part of tar.take(chunk)) {
        if (part.type !== 'records') {
          take(part)
          if (part.type === 'entry' && turns.due()) await turns.give()
        } else if (part.records.has(rootRecord)) {
          await into?.end()
          into = sinkFor(how, part.records.get(rootRecord))
        }
      }
      await into?.ready()
    }
    tar.end()
    await into?.end()
    return guard
  } catch (error) {
    await into?.break(error as Error)
    if (isBroken(error)) throw new StepFailed(`Cannot unpack the archive: it is broken (${error.message})`)
    throw failureWithFiles(error)
  }
}

function sinkFor({ files, rootOf }: Unpacking, label: string | undefined): Sink {
  const root = rootOf(label)
  if (root === undefined) throw new StepFailed(`Cannot unpack the archive: it was made for ${label ?? 'another use'}`)
  return files.sink?.(root) ?? streamInto(files, root)
}

/** A stream into a folder of the place, written with the manners that keep memory small. */
function streamInto(files: PlaceFiles, root: string): Sink {
  const stream = new PassThrough({ highWaterMark: pieceBytes })
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

  async function ready(): Promise<void> {
    check()
    // A copy: what we were given is gone when this resolves, and the stream may still hold it.
    const bytes = Buffer.concat(pieces)
    pieces = []
    // Destroyed means that whoever reads has failed, and says why a moment later.
    if (bytes.length > 0 && !stream.write(bytes) && !stream.destroyed)
      await Promise.race([once(stream, 'drain'), unpacked])
    check()
  }

  return {
    entry: (_, head) => void pieces.push(head),
    content: (bytes) => void pieces.push(bytes),
    filling: (bytes) => void pieces.push(bytes),
    ready,
    async end() {
      pieces.push(Buffer.alloc(1024))
      await ready()
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
  error instanceof BrokenArchive ||
  (error instanceof Error && 'code' in error && typeof error.code === 'string' && /^Z(STD)?_/.test(error.code))
