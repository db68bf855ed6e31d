import type { Readable } from 'node:stream'

/** A part of a blob, both ends included. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** An open blob. */
export interface BlobFile extends AsyncDisposable {
  /** Fills the buffer with what stands from `position` on; says how many bytes there were. */
  read(buffer: Uint8Array, position: number): Promise<number>
}

/**
 * Bytes by key. Keys are ours (`logs/<id>/3`), never made from a user's words.
 *
 * `put` is all or nothing: until it resolves, `get` finds what was there before or nothing. Putting a key again replaces it.
 * `get` and `size` answer undefined for what is not there. `remove` may be done twice.
 */
export interface Blobs {
  put(key: string, bytes: AsyncIterable<Uint8Array> | Uint8Array): Promise<void>
  get(key: string, span?: Span): Promise<Readable | undefined>
  size(key: string): Promise<number | undefined>
  /** Opens a blob to be read at any place, into memory of the reader's; undefined for what is not there. */
  open(key: string): Promise<BlobFile | undefined>
  /** Takes a file of this machine as a blob without copying it, if that can be done; says whether it was. What is there already stays. */
  adopt(key: string, path: string): Promise<boolean>
  /** Gives a blob a second name in a folder of this machine, if that can be done without copying it; says whether it was. Nobody may write to it. */
  lend(key: string, path: string): Promise<boolean>
  remove(key: string): Promise<void>
  /** Every blob whose key begins with `prefix`, which ends in a slash and holds no folders, in no order, and when it was put. */
  list(prefix: string): AsyncIterable<{ readonly key: string; readonly changedAt: number }>
  /** Removes every key that begins with `prefix`, which ends in a slash. */
  removeAll(prefix: string): Promise<void>
}

const shape = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/

/** Stops a key that could leave its place, whoever made it. */
export function checkKey(key: string): void {
  if (!shape.test(key) || key.includes('..')) throw new Error(`Cannot use blob key ${JSON.stringify(key)}`)
}
