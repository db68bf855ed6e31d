import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type Figure, median } from './figures.ts'
import { endOf, jobsOf, triggerAt } from './runs.ts'
import { call, pushRepository, residentMiB, type Service } from './service.ts'

const mostBytes = 500e6
const rounds = 3

/** Saving and restoring 500 MB against `tar | zstd` of the same files at the same level, and what the agent takes for it. */
export async function cacheFigures(service: Service): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-cache-'))
  try {
    fill(join(folder, 'data'))
    pushRepository(service, 'cache', configOf(join(folder, 'data')))
    const [save, restore, bareSave, bareRestore]: [number[], number[], number[], number[]] = [[], [], [], []]
    let most = 0
    for (let round = 0; round <= rounds; round++) {
      const packed = join(folder, 'packed')
      const first = await shell(`tar -c -C ${folder} data | zstd -q -3 -T1 -f -o ${packed}`)
      const other = join(folder, `other-${round}`)
      const second = await shell(`mkdir ${other} && zstd -q -d -c ${packed} | tar -x -C ${other}`)
      const watch = setInterval(() => (most = Math.max(most, residentMiB(service.child.pid ?? 0).children)), 20)
      const steps = await stepTimes(service, 'cache')
      clearInterval(watch)
      if (round === 0) continue
      bareSave.push(first)
      bareRestore.push(second)
      save.push(steps['save'] ?? Number.NaN)
      restore.push(steps['restore'] ?? Number.NaN)
    }
    return [
      figure('500 MB into a cache', save, bareSave, 'tar | zstd'),
      figure('500 MB out of a cache', restore, bareRestore, 'zstd | tar'),
      { what: 'agent meanwhile', ours: `${most.toFixed(0)} MiB`, floor: '1 MiB', ratio: most, goal: 80 },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function figure(what: string, ours: readonly number[], floor: readonly number[], by: string): Figure {
  const [run, base] = [median(ours), median(floor)]
  return { what, ours: `${run.toFixed(0)} ms`, floor: `${base.toFixed(0)} ms by ${by}`, ratio: run / base, goal: 1.3 }
}

/** Five hundred megabytes of what caches are mostly made of: packages, as they were installed. */
export function fill(folder: string): void {
  const from = join(import.meta.dirname, '..', 'node_modules')
  let bytes = 0
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || bytes >= mostBytes) continue
    const path = join(entry.parentPath, entry.name)
    const into = join(folder, relative(from, path))
    mkdirSync(dirname(into), { recursive: true })
    copyFileSync(path, into)
    bytes += statSync(path).size
  }
  execFileSync('sync')
}

/**
 * A job that saves a folder, moves it out of the way and restores it. Nothing is removed before all is measured: file systems look for
 * a new file's place among all those that were given up lately, which costs more than everything else, and ours only.
 */
export const configOf = (folder: string) => `version: 2.1
jobs:
  build:
    machine: true
    steps:
      - save_cache: { name: save, key: "{{ .BuildNum }}", paths: ["${folder}"] }
      - run: mv "${folder}" "${folder}-$CIRCLE_BUILD_NUM"
      - restore_cache: { name: restore, key: "{{ .BuildNum }}" }
workflows:
  w:
    jobs: [build]
`

interface Step {
  readonly name: string
  readonly started_at: string
  readonly ended_at: string
}

/** How long each step of the only job of a new pipeline took, by its name. */
export async function stepTimes(service: Service, project: string): Promise<Readonly<Record<string, number>>> {
  const { id } = await triggerAt(service, project)
  const [job] = await jobsOf(service, project, await endOf(service, id, 100))
  const page = await call<{ readonly steps: readonly Step[] }>(service, 'GET', `/api/rh/v1/job/${job?.id ?? ''}`)
  return Object.fromEntries(
    page.steps.map(({ name, started_at, ended_at }) => [name, Date.parse(ended_at) - Date.parse(started_at)]),
  )
}

async function shell(command: string): Promise<number> {
  const began = performance.now()
  const [code] = (await once(spawn('bash', ['-c', `set -o pipefail; ${command}`], { stdio: 'inherit' }), 'exit')) as [
    number,
  ]
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
  return performance.now() - began
}
