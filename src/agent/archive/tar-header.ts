import { nameIn } from './file-name.ts'

/** What one entry of a tar archive is; whatever is no file, folder or link is `other`: devices, pipes, what nobody knows. */
export type EntryType = 'file' | 'folder' | 'symlink' | 'link' | 'other'

/** What stands in one header block, before longer names that precede it are put in. */
export interface Header {
  readonly name: string
  readonly flag: string
  readonly size: number
  readonly linkName: string
  /** Permissions. */
  readonly mode: number
  /** When the content last changed, in seconds since 1970. */
  readonly changedAt: number
}

export const blockBytes = 512

const types: Readonly<Record<string, EntryType>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '1': 'link',
  '2': 'symlink',
  '5': 'folder',
}

/** The type of an entry by the letter in its header. */
export const typeOf = (flag: string): EntryType => types[flag] ?? 'other'

/** Whether a block is nothing but zeros: the end of an archive, or what fills it up. */
export const isBlank = (block: Buffer): boolean => block[0] === 0 && block.every((byte) => byte === 0)

/** Reads a header block; throws where it is none. */
export function readHeader(block: Buffer): Header {
  const text = (from: number, length: number) => {
    // Most fields are empty.
    if (block[from] === 0) return ''
    const end = block.indexOf(0, from)
    return nameIn(block.subarray(from, end < 0 ? from + length : Math.min(end, from + length)))
  }
  if (numberIn(block, 148, 8) !== sumOf(block))
    throw new Error('Cannot read the archive: a header has a wrong checksum')
  const isUstar = block[262] === 0 && text(257, 5) === 'ustar'
  const prefix = isUstar ? text(345, 155) : ''
  return {
    name: prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`,
    flag: String.fromCharCode(block[156] ?? 0),
    size: numberIn(block, 124, 12),
    linkName: text(157, 100),
    mode: numberIn(block, 100, 8) & 0o7777,
    changedAt: numberIn(block, 136, 12),
  }
}

const [blank, zero, seven] = [0x20, 0x30, 0x37]

/** Octal digits between blanks and zeros, or binary where the first bit says so, as tar writes sizes from 8 GB on. */
function numberIn(block: Buffer, from: number, length: number): number {
  const first = block[from] ?? 0
  const isBinary = first >= 0x80
  let value = isBinary ? first & 0x7f : 0
  for (let at = isBinary ? from + 1 : from; at < from + length; at++) {
    const byte = block[at] ?? 0
    if (isBinary) value = value * 256 + byte
    else if (byte >= zero && byte <= seven) value = value * 8 + byte - zero
    else if (byte !== 0 && byte !== blank)
      throw new Error('Cannot read the archive: a header has no number where one must be')
  }
  if (!Number.isSafeInteger(value)) throw new Error('Cannot read the archive: an entry has an impossible size')
  return value
}

/** The sum of all bytes, with blanks for those of the sum itself. */
export function sumOf(block: Buffer): number {
  let sum = 8 * blank
  for (let i = 0; i < 148; i++) sum += block[i]!
  for (let i = 156; i < blockBytes; i++) sum += block[i]!
  return sum
}

/** The records of an extended header: `<length> <name>=<value>\n`. */
export function readRecords(bytes: Buffer): ReadonlyMap<string, string> {
  const records = new Map<string, string>()
  let at = 0
  while (at < bytes.length) {
    const blank = bytes.indexOf(0x20, at)
    const length = Number(bytes.toString('latin1', at, blank))
    if (blank < 0 || !Number.isInteger(length) || length <= 0 || at + length > bytes.length)
      throw new Error('Cannot read the archive: an extended header is broken')
    const record = nameIn(bytes.subarray(blank + 1, at + length - 1))
    const equals = record.indexOf('=')
    records.set(record.slice(0, equals), record.slice(equals + 1))
    at += length
  }
  return records
}

/** A note to whoever reads the archive: a header for all that follows, which other programs skip. */
export function globalRecord(name: string, value: string): Buffer {
  const rest = ` ${name}=${value}\n`
  let length = Buffer.byteLength(rest)
  while (String(length).length + Buffer.byteLength(rest) > length) length++
  const content = Buffer.from(`${length}${rest}`)
  const block = Buffer.alloc(blockBytes + Math.ceil(content.length / blockBytes) * blockBytes)
  block.write('global', 0)
  block.write('0000644\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000000\0', 136)
  block.write('g', 156)
  block.write('ustar\x0000', 257)
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, 148)
  content.copy(block, blockBytes)
  return block
}
