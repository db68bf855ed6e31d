import { bytesOf } from './file-name.ts'
import { blockBytes, type EntryType, sumOf } from './tar-header.ts'

/** What a header says of a file beside its name. */
export interface Facts {
  readonly mode: number
  readonly mtimeMs: number
  readonly size: number
}

const flags: Readonly<Record<EntryType, string>> = { file: '0', link: '1', symlink: '2', folder: '5', other: '6' }
const mostName = 100
/** What eleven octal digits hold; more is written in binary. */
const mostOctal = 8 ** 11

/** Written over with each header: a buffer for each of many small files would stay until somebody collects it. */
const scratch = Buffer.alloc(blockBytes)
const none = Buffer.alloc(0)

/** The blocks that stand before the content of an entry; longer names have blocks of their own before them. Good until it is called again. */
export function headerOf(name: string, type: EntryType, facts: Facts, linkName = ''): Buffer {
  const own = bytesOf(name)
  const link = linkName === '' ? none : bytesOf(linkName)
  const before = [
    ...(link.length > mostName ? longName('K', link) : []),
    ...(own.length > mostName ? longName('L', own) : []),
  ]
  writeBlock(scratch, own, link, flags[type], facts, type === 'file' ? facts.size : 0)
  return before.length === 0 ? scratch : Buffer.concat([...before, scratch])
}

function longName(flag: string, name: Buffer): readonly Buffer[] {
  const size = name.length + 1
  const header = Buffer.alloc(blockBytes)
  const content = Buffer.alloc(Math.ceil(size / blockBytes) * blockBytes)
  writeBlock(header, Buffer.from('././@LongLink'), none, flag, { mode: 0o644, mtimeMs: 0, size }, size)
  name.copy(content)
  return [header, content]
}

function writeBlock(header: Buffer, name: Buffer, link: Buffer, flag: string, { mode, mtimeMs }: Facts, size: number) {
  header.fill(0)
  const octal = (value: number, at: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1')
  name.copy(header, 0, 0, mostName)
  octal(mode & 0o7777, 100, 7)
  // Whoever unpacks it owns it.
  octal(0, 108, 7)
  octal(0, 116, 7)
  if (size < mostOctal) octal(size, 124, 11)
  else {
    header.writeUInt8(0x80, 124)
    header.writeUIntBE(size, 130, 6)
  }
  octal(Math.min(Math.max(0, Math.floor(mtimeMs / 1000)), mostOctal - 1), 136, 11)
  header.write(flag, 156, 'latin1')
  link.copy(header, 157, 0, mostName)
  // The dialect of GNU, whose long names any tar reads.
  header.write('ustar  \0', 257, 'latin1')
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
}
