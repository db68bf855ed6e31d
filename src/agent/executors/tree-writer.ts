import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pathOf } from '#agent/archive/file-name.ts'
import { isPlain } from '#agent/archive/guard.ts'
import type { Entry } from '#agent/archive/tar-parts.ts'
import { openTurns } from '#agent/turns.ts'
import type { Sink } from './place-files.ts'

const { O_CREAT, O_EXCL, O_WRONLY } = constants
/** Kept free of others while it is written; what it is to be is set at its end. */
const draft = 0o600

/**
 * Writes the entries of an archive below a folder of this machine. What is in the way of one is replaced, never written
 * through. Without waiting: a small file is written in 30 µs, of which handing it to another thread would take most.
 */
export function treeWriter(root: string): Sink {
  const folders: (readonly [string, Entry])[] = []
  let file: { readonly fd: number; readonly entry: Entry; left: number } | undefined

  mkdirSync(root, { recursive: true })
  const top = join(root, '/')

  function finish(): void {
    if (!file) return
    const { fd, entry } = file
    file = undefined
    try {
      fchmodSync(fd, entry.mode)
      futimesSync(fd, entry.changedAt, entry.changedAt)
    } finally {
      closeSync(fd)
    }
  }

  function folder(path: string, entry: Entry): void {
    // Times and permissions last: what is put into it later would change the one and may need more of the other.
    folders.push([path, entry])
    if (path === join(root)) return
    try {
      mkdirSync(pathOf(path), 0o700)
    } catch (error) {
      const code = codeOf(error)
      if (code === 'ENOENT') return void mkdirSync(pathOf(path), { recursive: true })
      if (code !== 'EEXIST') throw error
      if (lstatSync(pathOf(path)).isDirectory()) return
      rmSync(pathOf(path))
      mkdirSync(pathOf(path), 0o700)
    }
  }

  return {
    entry(entry) {
      finish()
      const path = pathIn(top, entry.name)
      switch (entry.type) {
        case 'folder':
          return folder(path, entry)
        case 'symlink':
          return make(path, () => symlinkSync(pathOf(entry.linkName), pathOf(path)))
        case 'link':
          return make(
            path,
            () => linkSync(pathOf(join(root, entry.linkName)), pathOf(path)),
            join(root, entry.linkName),
          )
        case 'file':
          file = {
            fd: make(path, () => openSync(pathOf(path), O_CREAT | O_EXCL | O_WRONLY, draft)),
            entry,
            left: entry.size,
          }
          if (entry.size === 0) finish()
          return undefined
        case 'other':
          throw new Error(`Cannot unpack ${entry.name}: it is no file, folder or link`)
      }
    },
    content(bytes) {
      if (!file) throw new Error('Cannot unpack the archive: there is content without a file')
      for (let at = 0; at < bytes.length;) at += writeSync(file.fd, bytes, at)
      file.left -= bytes.length
      if (file.left === 0) finish()
    },
    filling: () => {},
    ready: () => Promise.resolve(),
    async end() {
      finish()
      const turns = openTurns()
      for (const [path, { mode, changedAt }] of folders.toReversed()) {
        chmodSync(pathOf(path), mode)
        utimesSync(pathOf(path), changedAt, changedAt)
        if (turns.due()) await turns.give()
      }
    },
    async break() {
      if (file) closeSync(file.fd)
      file = undefined
    },
  }
}

/** Where an entry lies below a folder. With a slash behind it a link would be followed. */
const pathIn = (top: string, name: string): string =>
  isPlain(name) ? top + name : join(top, name).replace(/(?<=.)\/+$/, '')

/** Makes something new at a path: below folders that may be missing, and in place of what may be there, unless that is what it is made of. */
function make<T>(path: string, work: () => T, source?: string): T {
  for (let tries = 0; ; tries++) {
    try {
      return work()
    } catch (error) {
      const code = codeOf(error)
      if (tries === 2) throw error
      if (code === 'EEXIST' && path !== source) rmSync(pathOf(path), { recursive: true, force: true })
      else if (code === 'ENOENT') mkdirSync(pathOf(dirname(path)), { recursive: true })
      else throw error
    }
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
