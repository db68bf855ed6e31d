import type { LogPiece } from '#contract/rh/log.ts'

/** Turns the pieces of one log into text. It remembers: a character may be cut between two pieces. */
export function pieceReader(): (piece: LogPiece) => string {
  const decoder = new TextDecoder()
  return (piece) => decoder.decode(bytesOf(piece), { stream: true })
}

type FromBase64 = (text: string) => Uint8Array<ArrayBuffer>

const native = (Uint8Array as { readonly fromBase64?: FromBase64 }).fromBase64?.bind(Uint8Array)

/** A log may bring megabytes a second: `Uint8Array.from` with a function takes a hundred times as long as a loop. */
const bytesOf: FromBase64 =
  native ??
  ((base64) => {
    const text = atob(base64)
    const bytes = new Uint8Array(text.length)
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
    return bytes
  })
