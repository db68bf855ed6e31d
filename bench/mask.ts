import { createHash } from 'node:crypto'
import { redactorFor } from '#agent/redact.ts'
import { type Figure, median } from './figures.ts'

const line = 'roundhouse prints a line of one hundred bytes, over and over again, to see what logs cost it. ok ok ok.\n'
const piece = Buffer.from(line.repeat(2_500))
const pieces = 200
const rounds = 5

/** Masking of output with many secrets, of which none occurs, against a plain scan of the same bytes in the same run. */
export function maskFigures(): readonly Figure[] {
  return [50, 500].map((count) => {
    const secrets = Array.from({ length: count }, (_, i) => tokenOf(i))
    const open = redactorFor(secrets)
    const ours: number[] = []
    const floor: number[] = []
    for (let round = 0; round < rounds; round++) {
      const redactor = open()
      ours.push(timed(() => redactor.push(piece)))
      // A byte that is not there: every byte is looked at once, as fast as the machine can.
      floor.push(timed(() => piece.indexOf(0)))
    }
    const speed = (ms: number) => `${((piece.length * pieces) / 1_000 / ms).toFixed(0)} MB/s`
    const [our, bare] = [median(ours), median(floor)]
    return {
      what: `masking ${count} secrets`,
      ours: speed(our),
      floor: speed(bare),
      ratio: our / bare,
      // 200 MB/s on a machine that scans 20 GB/s.
      goal: 100,
    }
  })
}

/** As tokens look: 20 to 43 characters, any of 64. */
const tokenOf = (i: number): string =>
  createHash('sha256')
    .update(String(i))
    .digest('base64url')
    .slice(0, 20 + (i % 24))

function timed(work: () => unknown): number {
  const start = performance.now()
  for (let i = 0; i < pieces; i++) work()
  return performance.now() - start
}
