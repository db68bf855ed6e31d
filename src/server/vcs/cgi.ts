import type { Readable } from 'node:stream'

/** How a CGI program begins its answer. */
export interface CgiHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

const longest = 64_000

/** Reads the headers of a CGI answer, and leaves the stream where its body begins. */
export async function readHead(stream: Readable): Promise<CgiHead> {
  let bytes = Buffer.alloc(0)
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    bytes = Buffer.concat([bytes, chunk as Buffer])
    const end = bytes.indexOf('\r\n\r\n')
    if (end >= 0) {
      stream.unshift(bytes.subarray(end + 4))
      return parseHead(bytes.toString('latin1', 0, end))
    }
    if (bytes.length > longest) break
  }
  throw new Error(`Cannot read the answer of git: ${bytes.length} bytes without an end of headers`)
}

function parseHead(text: string): CgiHead {
  const headers = Object.fromEntries(
    text.split('\r\n').map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const { status = '200', ...rest } = headers
  return { status: Number.parseInt(status, 10), headers: rest }
}
