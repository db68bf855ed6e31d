import type { Duplex, Readable } from 'node:stream'

/** Which of the two outputs of a process some bytes come from. */
export type Output = 'stdout' | 'stderr'

/**
 * Takes apart what an engine sends of a process without a terminal: eight bytes that say how much follows, and of which output.
 * Long pieces are handed on as they come, so that nothing is gathered; `isLast` says where what was sent as one ends.
 */
export function readFrames(
  source: Readable | Duplex,
  each: (from: Output, bytes: Buffer, isLast: boolean) => void,
): void {
  const head = Buffer.alloc(8)
  let have = 0
  let left = 0
  source.on('data', (bytes: Buffer) => {
    for (let at = 0; at < bytes.length;) {
      if (left > 0) {
        const piece = bytes.subarray(at, at + left)
        left -= piece.length
        at += piece.length
        each(head[0] === 2 ? 'stderr' : 'stdout', piece, left === 0)
        continue
      }
      const taken = bytes.copy(head, have, at, at + 8 - have)
      have += taken
      at += taken
      if (have < 8) continue
      have = 0
      left = head.readUInt32BE(4)
    }
  })
}
