import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
} from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { pieceBytes } from '#agent/archive/pack.ts'
import { headerOf } from '#agent/archive/tar-write.ts'
import type { HardLinks } from './place-files.ts'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
const zeros = Buffer.alloc(512)

/**
 * A tar of files of this machine in pieces of one size, each new: whoever takes it may keep it or release it. What is no
 * file, folder or link has a header that says so. A file that grows while it is read counts up to the size it had, one that
 * shrinks is filled up, one that goes away is left out.
 */
export function* readTree(root: string, paths: readonly string[], links: HardLinks = 'as-links'): Generator<Buffer> {
  const known = new Map<string, string>()
  let piece = Buffer.allocUnsafeSlow(pieceBytes)
  let filled = 0

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
    piece = Buffer.allocUnsafeSlow(pieceBytes)
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
    const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
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

  function* tree(path: string, name: string, kind: Dirent | Stats): Generator<Buffer> {
    if (kind.isFile()) yield* file(path, name)
    else if (kind.isDirectory()) {
      yield* put(headerOf(`${name}/`, 'folder', lstatSync(path)))
      for (const child of readdirSync(path, { withFileTypes: true }).toSorted(byName))
        yield* ifThere(join(path, child.name), `${name}/${child.name}`, child)
    } else if (kind.isSymbolicLink()) {
      yield* put(headerOf(name, 'symlink', lstatSync(path), readlinkSync(path)))
    } else yield* put(headerOf(name, 'other', lstatSync(path)))
  }

  function* ifThere(path: string, name: string, kind: Dirent): Generator<Buffer> {
    try {
      yield* tree(path, name, kind)
    } catch (error) {
      if (!isMissing(error)) throw error
      // Gone since we looked; or its name is no text, and then nobody can ask for it: left out, and told as what it is not.
      if (name.includes('\ufffd')) yield* put(headerOf(name, 'other', nothing))
    }
  }

  for (const named of paths) {
    const path = isAbsolute(named) ? named : join(root, named)
    try {
      yield* tree(path, named.replace(/(?<=.)\/+$/, ''), lstatSync(path))
    } catch (error) {
      throw new Error(`Cannot pack files below ${root}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}

const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1)
const nothing = { mode: 0, mtimeMs: 0, size: 0 }

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'
