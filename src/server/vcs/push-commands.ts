import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isRevision, parseRef } from '#core/refs.ts'
import { Refusal } from '#kit/refusal.ts'

/** 10,000 refs of ordinary length. */
const longest = 2_000_000

/**
 * Reads what a push asks before git does, and refuses what must not be: hooks never run here, so this is the place.
 * Gives back the whole push, uncompressed, from its first byte.
 */
export async function readPush(body: Readable, encoding: string): Promise<Readable> {
  const plain = encoding === 'gzip' || encoding === 'x-gzip' ? inflated(body) : body
  let bytes = Buffer.alloc(0)
  // The iterator is left without ending the stream, which has the pack still to come.
  for await (const chunk of plain.iterator({ destroyOnReturn: false })) {
    bytes = Buffer.concat([bytes, chunk as Buffer])
    const lines = linesOf(bytes)
    if (lines) {
      lines.forEach(checkLine)
      return Readable.from(after(bytes, plain), { objectMode: false })
    }
    if (bytes.length > longest)
      throw new Refusal('too-large', `Cannot push so many refs: they take more than ${longest} bytes`)
  }
  throw new Refusal('invalid', 'Cannot read the push: it ends in the middle')
}

function inflated(body: Readable): Readable {
  const gunzip = createGunzip()
  body.once('error', (error) => gunzip.destroy(error))
  return body.pipe(gunzip)
}

async function* after(first: Buffer, rest: Readable): AsyncGenerator<Buffer> {
  yield first
  for await (const chunk of rest.iterator({ destroyOnReturn: false })) yield chunk as Buffer
}

/** The lines up to the first flush; nothing while it has not come. A line has its length before it, in four hex digits. */
function linesOf(bytes: Buffer): readonly string[] | undefined {
  const lines: string[] = []
  for (let at = 0; at + 4 <= bytes.length;) {
    const size = bytes.toString('latin1', at, at + 4)
    if (size === '0000') return lines
    const length = /^[0-9a-f]{4}$/i.test(size) ? Number.parseInt(size, 16) : 0
    if (length <= 4) throw new Refusal('invalid', 'Cannot read the push: a line has no length')
    if (at + length > bytes.length) return undefined
    lines.push(bytes.toString('utf8', at + 4, at + length))
    at += length
  }
  return undefined
}

function checkLine(line: string): void {
  // The first line carries what the client can do, behind a zero byte.
  const [words = ''] = line.split('\0')
  if (/^shallow [0-9a-f]+\n?$/.test(words)) return
  const [, from = '', to = '', ref = ''] = /^(\S+) (\S+) (.*?)\n?$/s.exec(words) ?? []
  if (!isRevision(from) || !isRevision(to))
    throw new Refusal('invalid', 'Cannot read the push: it asks for something else')
  if (!parseRef(ref)) {
    throw new Refusal(
      'invalid',
      `Cannot push to ${JSON.stringify(ref.slice(0, 300))}: only to branches and tags of ordinary names`,
    )
  }
}

/** Tells a git client in its own words why a push is refused, so that its user reads them. */
export function refusedPush(message: string) {
  // Band 3 is for errors that end everything.
  const line = `\u0003${message.slice(0, 900)}\n`
  const length = (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0')
  return {
    status: 200,
    headers: { 'content-type': 'application/x-git-receive-pack-result', 'cache-control': 'no-cache' },
    body: Readable.from([Buffer.from(length + line)], { objectMode: false }),
  }
}
