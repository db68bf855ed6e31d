import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stepTimes } from './cache.ts'
import { type Figure, median } from './figures.ts'
import { pushRepository, type Service } from './service.ts'

const rounds = 9
const sizes = [50, 10_000]

/** Checkouts of repositories that the agent has seen before, against `git clone --shared` of the same on this disk. */
export async function checkoutFigures(service: Service): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const files of sizes) figures.push(await checkoutFigure(service, files))
  return figures
}

async function checkoutFigure(service: Service, files: number): Promise<Figure> {
  const name = `checkout-${files}`
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-checkout-'))
  try {
    pushRepository(service, name, config, (into) => fill(into, files))
    const address = `${service.url.replace('://', `://${service.token}@`)}/git/bench/${name}.git`
    execFileSync('git', ['clone', '-q', '--mirror', address, join(folder, 'mirror')])
    const [ours, floor]: [number[], number[]] = [[], []]
    for (let round = 0; round <= rounds; round++) {
      const began = performance.now()
      execFileSync('git', ['clone', '-q', '--shared', join(folder, 'mirror'), join(folder, 'clone')])
      const bare = performance.now() - began
      rmSync(join(folder, 'clone'), { recursive: true })
      const steps = await stepTimes(service, name)
      // The first one fills the mirror of the agent.
      if (round === 0) continue
      floor.push(bare)
      ours.push(steps['Checkout code'] ?? Number.NaN)
    }
    const [run, base] = [median(ours), median(floor)]
    return {
      what: `checkout of ${files} files, seen before`,
      ours: `${run.toFixed(0)} ms`,
      floor: `${base.toFixed(0)} ms by git clone --shared`,
      ratio: run / base,
      goal: 1.3,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function fill(folder: string, files: number): void {
  for (let i = 0; i < files; i++) {
    const parent = join(folder, String(i % 100))
    if (i < 100) mkdirSync(parent, { recursive: true })
    writeFileSync(join(parent, `${i}.txt`), randomBytes(1500).toString('base64'))
  }
}

const config = `version: 2.1
jobs:
  build:
    machine: true
    steps: [checkout]
workflows:
  w:
    jobs: [build]
`
