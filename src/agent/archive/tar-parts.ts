import { nameIn } from './file-name.ts'
import { blockBytes, type EntryType, isBlank, readHeader, readRecords, typeOf } from './tar-header.ts'

/** One entry of an archive, with its whole name. */
export interface Entry {
  readonly type: EntryType
  readonly name: string
  /** Bytes of content that follow. */
  readonly size: number
  /** Where a link leads, as written. */
  readonly linkName: string
  /** Permissions. */
  readonly mode: number
  /** When the content last changed, in seconds since 1970. */
  readonly changedAt: number
}

/**
 * An archive taken apart: each entry with its headers as they stand, then its content and what fills its last block.
 * `records` hold for all that follows. Blocks of zeros are left out: several archives in a row read as one.
 */
export type Part =
  | { readonly type: 'entry'; readonly entry: Entry; readonly head: Buffer }
  | { readonly type: 'content'; readonly bytes: Buffer }
  | { readonly type: 'filling'; readonly bytes: Buffer }
  | { readonly type: 'records'; readonly records: ReadonlyMap<string, string> }

/** Longer names and records than this are nobody's. */
const mostMeta = 1024 * 1024
const none = Buffer.alloc(0)

/** Takes a tar stream apart as it comes, without copying its content. */
export async function* tarParts(source: AsyncIterable<Buffer>): AsyncGenerator<Part> {
  const tar = openTar()
  for await (const chunk of source) yield* tar.take(chunk)
  tar.end()
}

/**
 * Takes a tar apart chunk by chunk. Heads, content and filling are views of the chunk that they came in, so a chunk whose
 * parts have been used may be given back; nothing of it is kept. (Copies of heads, left to a collector that sees no need
 * to come, were 2.5 MB for 5,000 files.)
 */
export function openTar() {
  let rest: Buffer = none
  let heads: Buffer[] = []
  let longName: string | undefined
  let longLink: string | undefined
  let size: number | undefined
  /** Bytes still to come of what is being read. */
  let content = 0
  let filling = 0
  let meta: { readonly flag: string; readonly size: number; readonly filled: number } | undefined

  function takeMeta(flag: string, bytes: Buffer): Part | undefined {
    const text = () => nameIn(bytes).replace(/\0+$/, '')
    if (flag === 'L') longName = text()
    if (flag === 'K') longLink = text()
    if (flag !== 'x' && flag !== 'g') return undefined
    const records = readRecords(bytes)
    if (flag === 'g') {
      heads = []
      return { type: 'records', records }
    }
    longName = records.get('path') ?? longName
    longLink = records.get('linkpath') ?? longLink
    const given = records.get('size')
    if (given !== undefined) size = Number(given)
    return undefined
  }

  function takeHeader(block: Buffer): Part | undefined {
    const header = readHeader(block)
    heads.push(block)
    filling = (blockBytes - (header.size % blockBytes)) % blockBytes
    if ('LKxg'.includes(header.flag)) {
      if (header.size > mostMeta) throw new Error(`Cannot read the archive: a header has ${header.size} bytes`)
      meta = { flag: header.flag, size: header.size, filled: header.size + filling }
      filling = 0
      return undefined
    }
    const type = typeOf(header.flag)
    const name = longName ?? header.name
    content = type === 'file' ? (size ?? header.size) : header.flag === '1' ? 0 : header.size
    if (!Number.isSafeInteger(content) || content < 0)
      throw new Error('Cannot read the archive: an entry has an impossible size')
    filling = (blockBytes - (content % blockBytes)) % blockBytes
    const head = heads.length === 1 ? heads[0]! : Buffer.concat(heads)
    const entry: Entry = {
      type: type === 'file' && name.endsWith('/') ? 'folder' : type,
      name,
      size: content,
      linkName: longLink ?? header.linkName,
      mode: header.mode,
      changedAt: header.changedAt,
    }
    heads = []
    longName = longLink = undefined
    size = undefined
    return { type: 'entry', entry, head }
  }

  function* take(chunk: Buffer): Generator<Part> {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    rest = none
    let at = 0
    while (at < bytes.length) {
      const left = bytes.length - at
      const from = at
      if (content > 0) {
        at += Math.min(content, left)
        content -= at - from
        yield { type: 'content', bytes: bytes.subarray(from, at) }
      } else if (filling > 0) {
        at += Math.min(filling, left)
        filling -= at - from
        yield { type: 'filling', bytes: bytes.subarray(from, at) }
      } else if (meta) {
        if (left < meta.filled) break
        at += meta.filled
        heads.push(bytes.subarray(from, at))
        const part = takeMeta(meta.flag, bytes.subarray(from, from + meta.size))
        meta = undefined
        if (part) yield part
      } else {
        if (left < blockBytes) break
        at += blockBytes
        const block = bytes.subarray(from, at)
        if (isBlank(block)) continue
        const part = takeHeader(block)
        if (part) yield part
      }
    }
    if (at < bytes.length) rest = Buffer.from(bytes.subarray(at))
    // Half a head: the rest of it comes with the next chunk, when this one may be gone.
    if (heads.length > 0) heads = [Buffer.concat(heads)]
  }

  return {
    take,
    /** Whether a part has begun that has not been given yet. */
    isHolding: () => rest.length > 0 || heads.length > 0,
    /** To be called after the last chunk; throws where something is missing. */
    end(): void {
      if (content > 0 || filling > 0 || meta || heads.length > 0 || rest.length > 0)
        throw new Error('Cannot read the archive: it ends too early')
    },
  }
}
