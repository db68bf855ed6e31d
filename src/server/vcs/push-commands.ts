import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isRevision, parseRef } from '#core/refs.ts'
import { Refusal } from '#kit/refusal.ts'

/** 10,000 refs of ordinary length. */
const longest = 2_000_000

/** A push that may go to git, and what its sender can do and wants beside it. */
export interface ReadPush {
  /** The whole push, uncompressed, from its first byte. */
  readonly body: Readable
  /** Whether messages can be sent beside the answer. */
  readonly hearsMessages: boolean
  /** What was given with `git push -o`. */
  readonly options: readonly string[]
  /** What refs are to be moved to; nobody knows yet whether they will. */
  readonly wanted: readonly string[]
}

/** Reads what a push asks before git does, and refuses what must not be: hooks never run here, so this is the place. */
export async function readPush(body: Readable, encoding: string): Promise<ReadPush> {
  const plain = encoding === 'gzip' || encoding === 'x-gzip' ? inflated(body) : body
  let bytes = Buffer.alloc(0)
  // The iterator is left without ending the stream, which has the pack still to come.
  for await (const chunk of plain.iterator({ destroyOnReturn: false })) {
    bytes = Buffer.concat([bytes, chunk as Buffer])
    const asked = readHead(bytes)
    if (asked) {
      asked.commands.forEach(checkLine)
      const { hearsMessages, options } = asked
      const wanted = asked.commands.flatMap(wantedIn)
      return { body: Readable.from(after(bytes, plain), { objectMode: false }), hearsMessages, options, wanted }
    }
    if (bytes.length > longest)
      throw new Refusal('too-large', `Cannot push so many refs: they take more than ${longest} bytes`)
  }
  throw new Refusal('invalid', 'Cannot read the push: it ends in the middle')
}

/** Commands up to the first flush, and options up to the second where the client says that it sends some; nothing while they have not come. */
function readHead(bytes: Buffer) {
  const commands = linesOf(bytes, 0)
  if (!commands) return undefined
  const able = commands.lines[0]?.split('\0')[1]?.trim().split(' ') ?? []
  const options = able.includes('push-options') ? linesOf(bytes, commands.end) : { lines: [] }
  if (!options) return undefined
  return {
    commands: commands.lines,
    hearsMessages: able.includes('side-band-64k'),
    options: options.lines.map((line) => line.replace(/\n$/, '')),
  }
}

/** What a command moves its ref to; nothing where it deletes it. */
function wantedIn(line: string): readonly string[] {
  const to = line.split(' ')[1] ?? ''
  return isRevision(to) && !/^0+$/.test(to) ? [to] : []
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

/** The lines from a place up to the next flush; nothing while it has not come. A line has its length before it, in four hex digits. */
function linesOf(
  bytes: Buffer,
  start: number,
): { readonly lines: readonly string[]; readonly end: number } | undefined {
  const lines: string[] = []
  for (let at = start; at + 4 <= bytes.length;) {
    const size = bytes.toString('latin1', at, at + 4)
    if (size === '0000') return { lines, end: at + 4 }
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
