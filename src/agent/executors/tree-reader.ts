import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  type OpenDirOptions,
  opendirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
} from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { bytesOf, nameIn, pathOf } from '#agent/archive/file-name.ts'
import { frameBytes } from '#agent/archive/frames.ts'
import { headerOf } from '#agent/archive/tar-write.ts'
import { openTurns } from '#agent/turns.ts'
import type { HardLinks } from './place-files.ts'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
const zeros = Buffer.alloc(512)
const nothing = Buffer.alloc(0)
/** A folder that takes more than this by itself, for the names in it, is read a few at a time. */
const largeFolder = 64 * 1024

/**
 * A tar of files of this machine in pieces of one size, but for the last, each new: whoever takes it may keep it or release it. What is
 * no file, folder or link has a header that says so. A file that grows while it is read counts up to the size it had, one that shrinks
 * is filled up, one that goes away is left out. Between two pieces whoever reads gives others their turn; where a piece takes long, it
 * is given an empty one to do so.
 */
export function* readTree(
  root: string,
  paths: readonly string[],
  links: HardLinks = 'as-links',
  turns = openTurns(),
): Generator<Buffer> {
  const known = new Map<string, string>()
  let piece = Buffer.allocUnsafeSlow(frameBytes)
  let filled = 0

  /** Whoever reads is woken in the middle of many small files, as others want a turn. */
  function* soon(): Generator<Buffer> {
    if (turns.due()) yield nothing
  }

  function* put(bytes: Buffer): Generator<Buffer> {
    for (let at = 0; at < bytes.length;) {
      const copied = bytes.copy(piece, filled, at)
      at += copied
      filled += copied
      if (filled === piece.length) yield full()
    }
  }

  function full(): Buffer {
    const whole = piece
    piece = Buffer.allocUnsafeSlow(frameBytes)
    filled = 0
    return whole
  }

  function* content(fd: number, size: number): Generator<Buffer> {
    for (let left = size; left > 0;) {
      const read = readSync(fd, piece, filled, Math.min(left, piece.length - filled), null)
      if (read === 0) piece.fill(0, filled, filled + Math.min(left, piece.length - filled))
      const got = read === 0 ? Math.min(left, piece.length - filled) : read
      left -= got
      filled += got
      if (filled === piece.length) yield full()
    }
    yield* put(zeros.subarray(0, (512 - (size % 512)) % 512))
  }

  function* file(path: string, name: string): Generator<Buffer> {
    const fd = openSync(pathOf(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stats = fstatSync(fd)
      if (!stats.isFile()) return yield* put(headerOf(name, 'other', stats))
      const id = `${stats.dev}:${stats.ino}`
      const first = stats.nlink > 1 && links === 'as-links' ? known.get(id) : undefined
      if (first !== undefined) return yield* put(headerOf(name, 'link', stats, first))
      if (stats.nlink > 1) known.set(id, name)
      yield* put(headerOf(name, 'file', stats))
      yield* content(fd, stats.size)
    } finally {
      closeSync(fd)
    }
  }

  function* tree(path: string, name: string, kind: Kind): Generator<Buffer> {
    if (kind.isFile()) yield* file(path, name)
    else if (kind.isDirectory()) {
      const stats = lstatSync(pathOf(path))
      yield* put(headerOf(`${name}/`, 'folder', stats))
      for (const [child, itsKind] of stats.size > largeFolder ? childrenInTurn(path) : childrenOf(path))
        yield* ifThere(join(path, child), `${name}/${child}`, itsKind)
    } else if (kind.isSymbolicLink()) {
      const leadsTo = nameIn(readlinkSync(pathOf(path), 'buffer'))
      yield* put(headerOf(name, 'symlink', lstatSync(pathOf(path)), leadsTo))
    } else yield* put(headerOf(name, 'other', lstatSync(pathOf(path))))
  }

  function* ifThere(path: string, name: string, kind: Kind): Generator<Buffer> {
    try {
      yield* tree(path, name, kind)
      yield* soon()
    } catch (error) {
      // Gone since we looked.
      if (!isMissing(error)) throw error
    }
  }

  for (const named of paths.flatMap((path) => (path.includes('\ufffd') ? meant(root, path) : path))) {
    const path = isAbsolute(named) ? named : join(root, named)
    try {
      yield* tree(path, named.replace(/(?<=.)\/+$/, ''), lstatSync(pathOf(path)))
      yield* soon()
    } catch (error) {
      throw new Error(`Cannot pack files below ${root}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}

type Kind = Pick<Dirent | Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>

/** What a folder holds, by names that can be given back. */
function childrenOf(folder: string): readonly (readonly [string, Kind])[] {
  const children = readdirSync(pathOf(folder), { withFileTypes: true })
  const named = children.some(({ name }) => name.includes('\ufffd'))
    ? readdirSync(pathOf(folder), { withFileTypes: true, encoding: 'buffer' }).map(
        (child) => [nameIn(child.name), child] as const,
      )
    : children.map((child) => [child.name, child] as const)
  return named.toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** The same of a folder with very many, a few at a time and as they come: a list of a million takes seconds, and 100 MB. */
function* childrenInTurn(folder: string): Generator<readonly [string, Kind]> {
  const options = { encoding: 'buffer', bufferSize: 512 } as unknown as OpenDirOptions
  const handle = opendirSync(pathOf(folder), options)
  try {
    for (let child = handle.readSync(); child !== null; child = handle.readSync())
      yield [nameIn(child.name as unknown as Buffer), child]
  } finally {
    handle.closeSync()
  }
}

/** Which files somebody means who has read their names as texts: those of which bytes got lost over it. */
function meant(root: string, path: string): readonly string[] {
  let found: readonly string[] = ['']
  for (const part of path.split('/')) {
    found = found.flatMap((before) => {
      if (!part.includes('\ufffd')) return `${before}${part}/`
      const folder = isAbsolute(path) ? before : join(root, before)
      const like = childrenOf(folder).filter(([name]) => bytesOf(name).toString('utf8') === part)
      return like.map(([name]) => `${before}${name}/`)
    })
  }
  return found.map((one) => one.slice(0, -1))
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'
