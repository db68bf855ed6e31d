import { createHash } from 'node:crypto'
import { redactorFor } from '#agent/redact.ts'
import { type Figure, median } from './figures.ts'

const line = 'roundhouse prints a line of one hundred bytes, over and over again, to see what logs cost it. ok ok ok.\n'
/** Words; and digits, as lists of checksums are made of them: so are secrets in some of the forms that are looked for. */
const texts = { words: line.repeat(2_500), digits: checksums(2_500) }
const pieces = 200
const rounds = 5

/** Masking of output with many secrets, of which none occurs, against a plain scan of the same bytes in the same run. */
export function maskFigures(): readonly Figure[] {
  return Object.entries(texts).flatMap(([kind, text]) =>
    [50, 500].map((count) => figure(kind, Buffer.from(text), count)),
  )
}

function figure(kind: string, piece: Buffer, count: number): Figure {
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
    what: `masking ${count} secrets, ${kind}`,
    ours: speed(our),
    floor: speed(bare),
    ratio: our / bare,
    // 200 MB/s on a machine that scans 20 GB/s.
    goal: 100,
  }
}

function checksums(count: number): string {
  const sum = (i: number) => createHash('sha256').update(`file ${i}`).digest('hex')
  return Array.from({ length: count }, (_, i) => `${sum(i)}  src/a-file-of-a-project-${i}.ts\n`).join('')
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
