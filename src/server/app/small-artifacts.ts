import { Refusal } from '#kit/refusal.ts'

/** Small files that came together. */
export interface SmallArtifacts {
  readonly files: readonly { readonly path: string; readonly size: number }[]
  /** Their bytes, in this order. */
  readonly bytes: Buffer
}

/** What an agent gathers at most, with room for its names. */
const mostBytes = 16 * 1024 * 1024
const mostFiles = 5000
const longestPath = 1024

/** Reads files as they are sent together: a line of JSON, `[[path, size], ...]`, and their bytes. */
export async function readSmallArtifacts(body: AsyncIterable<Buffer>): Promise<SmallArtifacts> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > mostBytes)
      throw new Refusal('too-large', `Cannot keep so many files at once: ${mostBytes} bytes at most`)
    pieces.push(piece)
  }
  const all = Buffer.concat(pieces)
  const end = all.indexOf(0x0a)
  const files = listIn(all.subarray(0, Math.max(0, end)))
  const bytes = all.subarray(end + 1)
  if (files.reduce((sum, file) => sum + file.size, 0) !== bytes.length)
    throw bad('their sizes do not come to the bytes that were sent')
  return { files, bytes }
}

function listIn(line: Buffer): SmallArtifacts['files'] {
  let list: unknown
  try {
    list = JSON.parse(line.toString('utf8'))
  } catch {
    throw bad('the first line is no JSON')
  }
  if (!Array.isArray(list) || list.length > mostFiles) throw bad(`there must be a list of at most ${mostFiles}`)
  return list.map((item: unknown) => {
    const [path, size] = Array.isArray(item) ? (item as readonly unknown[]) : []
    if (typeof path !== 'string' || path.length > longestPath || !Number.isSafeInteger(size) || Number(size) < 0)
      throw bad('each must be a path and a size')
    return { path, size: Number(size) }
  })
}

const bad = (why: string) => new Refusal('invalid', `Cannot keep artifacts: ${why}`)
