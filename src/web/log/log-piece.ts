import type { LogPiece } from '#contract/rh/log.ts'

/** Turns the pieces of one log into text. It remembers: a character may be cut between two pieces. */
export function pieceReader(): (piece: LogPiece) => string {
  const decoder = new TextDecoder()
  return (piece) => decoder.decode(bytesOf(piece), { stream: true })
}

const bytesOf = (base64: LogPiece): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
