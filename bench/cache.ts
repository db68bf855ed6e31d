import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type Figure, median } from './figures.ts'
import { endOf, jobsOf, triggerAt } from './runs.ts'
import { call, pushRepository, residentMiB, type Service } from './service.ts'

const mostBytes = 500e6
const rounds = 4

/**
 * Saving and restoring 500 MB against `tar | zstd` of the same files at the same level, and what the agent takes for it. They are steps
 * of the same jobs, in turns: a machine whose speed changes within seconds changes it for both.
 */
export async function cacheFigures(service: Service): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-cache-'))
  try {
    fill(join(folder, 'data'))
    pushRepository(service, 'cache', configOf([...bareSteps(folder), ...cacheSteps(folder)]))
    let most = 0
    const all: Readonly<Record<string, number>>[] = []
    for (let round = 0; round <= rounds; round++) {
      const watch = setInterval(() => (most = Math.max(most, residentMiB(service.child.pid ?? 0).children)), 20)
      all.push(await stepTimes(service, 'cache').finally(() => clearInterval(watch)))
    }
    // All but the first.
    const times = (name: string) => all.slice(1).map((steps) => steps[name] ?? Number.NaN)
    return [
      figure('500 MB into a cache', times('save'), times('tar | zstd'), 'tar | zstd'),
      figure('500 MB out of a cache', times('restore'), times('zstd | tar'), 'zstd | tar'),
      { what: 'agent meanwhile', ours: `${most.toFixed(0)} MiB`, floor: '1 MiB', ratio: most, goal: 80 },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function figure(what: string, ours: readonly number[], floor: readonly number[], by: string): Figure {
  const ratio = median(ours.map((time, i) => time / (floor[i] ?? Number.NaN)))
  const [run, base] = [median(ours), median(floor)]
  return { what, ours: `${run.toFixed(0)} ms`, floor: `${base.toFixed(0)} ms by ${by}`, ratio, goal: 1.3 }
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

/** Steps that pack and unpack a folder with the programs that everybody has. */
function bareSteps(folder: string): readonly string[] {
  const into = `${folder}/bare-$CIRCLE_BUILD_NUM`
  const run = (name: string, command: string) => `run: { name: "${name}", command: "${command}" }`
  return [
    run('tar | zstd', `tar -c -C ${folder} data | zstd -q -3 -T1 -f -o ${folder}/packed`),
    run('zstd | tar', `mkdir ${into} && zstd -q -d -c ${folder}/packed | tar -x -C ${into}`),
  ]
}

/**
 * Steps that save a folder, move it out of the way and restore it. Nothing is removed before all is measured: file systems look for
 * a new file's place among all those that were given up lately, which costs more than everything else, and ours only.
 */
export const cacheSteps = (folder: string): readonly string[] => [
  `save_cache: { name: save, key: "{{ .BuildNum }}", paths: ["${folder}/data"] }`,
  `run: mv ${folder}/data ${folder}/data-$CIRCLE_BUILD_NUM`,
  'restore_cache: { name: restore, key: "{{ .BuildNum }}" }',
]

export const configOf = (steps: readonly string[]) => `version: 2.1
jobs:
  build:
    machine: true
    steps:
${steps.map((step) => `      - ${step}`).join('\n')}
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
