import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { refresh, type Wish } from './mirror.ts'
import { bytesOf, type MirrorState } from './mirror-state.ts'
import { identityOf, protocols, type Reach, type Source } from './source.ts'

/** What mirrors may take together unless an operator says otherwise: 10 GiB. */
export const usualMirrorBytes = 10 * 1024 ** 3

/** How an agent keeps mirrors. */
export interface MirrorOptions {
  /** Its own. */
  readonly folder: string
  /** How much they may take together once nobody uses them; the one used longest ago goes first. */
  readonly mostBytes: number
  /** Also lets repositories be paths of this machine: for tests, and for measuring. */
  readonly allowFiles?: boolean | undefined
  /** The hosts that repositories are fetched from; any unless given. */
  readonly hosts?: readonly string[] | undefined
}

/** What a mirror gives to whoever reads it. */
export interface Held {
  readonly folder: string
  readonly state: MirrorState
}

/** The repositories that an agent has seen. */
export interface Mirrors {
  readonly folder: string
  readonly reach: Reach
  /**
   * Brings a mirror up to date and lends it for as long as `read` takes. One at a time brings up to date, many read;
   * nothing is taken away from a mirror that is read.
   */
  use<T>(wish: Omit<Wish, 'reach' | 'unread'>, read: (held: Held) => Promise<T>): Promise<T>
  /** The mirror of a source if there is one, as it is. */
  peek<T>(source: Source, read: (folder: string | undefined) => Promise<T>): Promise<T>
  /** Removes a mirror that gave something broken: the next who wants it makes it anew. */
  forget(source: Source, kind: Wish['kind']): Promise<void>
}

interface Shelf {
  /** Resolves when whoever has it to himself is done; others queue behind. */
  turn: Promise<void>
  waiting: number
  readonly readers: Set<Promise<void>>
}

/** Opens the folder of the mirrors. What a killed process left half made or half removed is swept up. */
export function openMirrors({ folder, mostBytes, allowFiles, hosts }: MirrorOptions): Mirrors {
  const shelves = new Map<string, Shelf>()
  const reach: Reach = { protocols: allowFiles === true ? `${protocols}:file` : protocols, hosts }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder)) {
    if (isName(name)) sweep(join(folder, name))
    else rmSync(join(folder, name), { recursive: true, force: true })
  }

  function shelfOf(name: string): Shelf {
    const shelf = shelves.get(name) ?? { turn: Promise.resolve(), waiting: 0, readers: new Set() }
    shelves.set(name, shelf)
    return shelf
  }

  /** Runs `work` when nobody else has the shelf to himself; it may still be read. Whoever gives up waiting leaves the queue. */
  async function alone<T>(shelf: Shelf, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const before = shelf.turn
    const { promise, resolve } = Promise.withResolvers<void>()
    shelf.turn = promise
    shelf.waiting++
    let mine = false
    try {
      await orAborted(before, signal)
      mine = true
      return await work()
    } finally {
      shelf.waiting--
      if (mine) resolve()
      else void before.then(resolve)
    }
  }

  /** Begins to read; the promise is of the reading, so that whoever began can let go of the shelf before it ends. */
  function reading<T>(shelf: Shelf, read: () => Promise<T>): { readonly done: Promise<T> } {
    const { promise, resolve } = Promise.withResolvers<void>()
    shelf.readers.add(promise)
    async function readOn(): Promise<T> {
      try {
        return await read()
      } finally {
        shelf.readers.delete(promise)
        resolve()
      }
    }
    const done = readOn()
    // Whoever began hears of a failure when he waits for it.
    done.catch(() => {})
    return { done }
  }

  const quietNow = async (shelf: Shelf) => {
    while (shelf.readers.size > 0) await Promise.all(shelf.readers)
  }

  function remove(name: string): void {
    const gone = join(folder, `gone-${randomBytes(8).toString('hex')}`)
    try {
      renameSync(join(folder, name), gone)
    } catch {
      return
    }
    // Swept up at the next start if this is cut short.
    void rm(gone, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }

  /** Removes what was used longest ago until the rest is small enough; what is in use stays. */
  function trim(): void {
    const all = readdirSync(folder)
      .filter(isName)
      .map((name) => ({ name, bytes: bytesOf(join(folder, name)), used: statSync(join(folder, name)).mtimeMs }))
      .toSorted((a, b) => a.used - b.used)
    let total = all.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { name, bytes } of all) {
      if (total <= mostBytes) return
      const shelf = shelves.get(name)
      if (shelf && (shelf.waiting > 0 || shelf.readers.size > 0)) continue
      remove(name)
      total -= bytes
    }
  }

  return {
    folder,
    reach,
    async use(wish, read) {
      const name = identityOf(wish.source, wish.kind)
      const shelf = shelfOf(name)
      const own = join(folder, name)
      let fetched = false
      const { done } = await alone(shelf, wish.signal, async () => {
        const began = Date.now()
        const state = await refresh(own, { ...wish, reach, unread: () => quietNow(shelf) })
        fetched = state.fetchedAt >= began
        const now = new Date()
        utimesSync(own, now, now)
        return reading(shelf, () => read({ folder: own, state }))
      })
      try {
        return await done
      } finally {
        if (fetched) trim()
      }
    },
    async peek(source, read) {
      const name = identityOf(source, 'full')
      const shelf = shelfOf(name)
      const { done } = await alone(shelf, undefined, async () =>
        reading(shelf, () => read(statSync(join(folder, name), { throwIfNoEntry: false }) && join(folder, name))),
      )
      return done
    },
    async forget(source, kind) {
      const name = identityOf(source, kind)
      const shelf = shelfOf(name)
      await alone(shelf, undefined, async () => {
        await quietNow(shelf)
        remove(name)
      })
    },
  }
}

/** Waits for a promise, or rejects when the signal aborts first. */
async function orAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return promise
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  const abort = () => resolve()
  signal.addEventListener('abort', abort, { once: true })
  try {
    if (!signal.aborted) await Promise.race([promise, aborted])
    signal.throwIfAborted()
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const isName = (name: string) => /^[0-9a-f]{32}$/.test(name)

/** Removes what git left when it was killed: files that it had begun, locks, and keys that were in use. */
function sweep(mirror: string): void {
  rmSync(join(mirror, 'keys'), { recursive: true, force: true })
  const git = join(mirror, 'git')
  for (const part of ['', 'objects', 'objects/pack', 'refs', 'refs/heads', 'refs/tags']) {
    const folder = join(git, part)
    const names = statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : []
    for (const name of names)
      if (/^tmp_|^\.tmp-|\.lock$/.test(name)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}
