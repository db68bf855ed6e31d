import { Readable } from 'node:stream'

/*
 * What a pusher reads in the terminal goes between git's own answer and its end, on the band that git shows as `remote: ...`.
 */

const flush = '0000'
const mostInLine = 900

/** One line for the pusher's terminal, as git frames it; an empty one only shows that somebody is still there. */
export function remoteLine(text: string): Buffer {
  const line = text === '' ? '\u0002' : `\u0002${text.replaceAll(/\p{Cc}/gu, ' ').slice(0, mostInLine)}\n`
  return Buffer.from((Buffer.byteLength(line) + 4).toString(16).padStart(4, '0') + line)
}

/** Puts lines before the end of git's answer to a push; `lines` is asked for when git has said everything else. */
export function withLines(body: Readable, lines: () => AsyncIterable<string>): Readable {
  return Readable.from(extended(body, lines), { objectMode: false })
}

async function* extended(body: Readable, lines: () => AsyncIterable<string>): AsyncGenerator<Buffer> {
  let tail = Buffer.alloc(0)
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([tail, chunk])
    const kept = Math.min(bytes.length, flush.length)
    tail = bytes.subarray(bytes.length - kept)
    if (bytes.length > kept) yield bytes.subarray(0, bytes.length - kept)
  }
  // An answer that does not end as it should is none that could be added to.
  const isWhole = tail.toString('latin1') === flush
  if (!isWhole) yield tail
  for await (const line of lines()) if (isWhole) yield remoteLine(line)
  if (isWhole) yield tail
}
