import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '#kit/backoff.ts'
import { type Figure, median } from './figures.ts'
import { intoFile } from './floors.ts'
import { endOf, jobsOf, triggerAt } from './runs.ts'
import { call, residentMiB, type Service } from './service.ts'

/** 200 MB in 2,000,000 lines, and a million short lines, by one process each. */
export const large = `head -c 200000000 < <(exec yes 'roundhouse prints a line of one hundred bytes, over and over again, to see what logs cost it. ok ok ok.')`
export const short = `seq 1 1000000`

/** A command in a job against the same command into a file. From the job's start to its end: what is before is measured elsewhere. */
export async function logFigures(service: Service): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-log-'))
  try {
    // The agent is there, and warm, before its memory is looked at.
    await endOf(service, (await triggerAt(service, 'noop')).id, 50)
    const before = total(service)
    let most = before
    const watch = setInterval(() => (most = Math.max(most, total(service))), 20)
    const bytes = await against(service, 'large', large, join(folder, 'out'), 5)
    const lines = await against(service, 'short', short, join(folder, 'out'), 9)
    clearInterval(watch)
    return [
      { what: '200 MB of output', ...bytes, goal: 1.5, peers: 'Laminar 7-9, Buildbot 244' },
      { what: '1,000,000 lines', ...lines, goal: 2, peers: 'Laminar 18-23, Buildbot 458' },
      {
        what: 'memory growth over both',
        ours: `${(most - before).toFixed(0)} MiB`,
        floor: '1 MiB',
        ratio: most - before,
        goal: 32,
        peers: 'Buildbot 281',
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function total(service: Service): number {
  const { self, children } = residentMiB(service.child.pid ?? 0)
  return self + children
}

async function against(service: Service, name: string, command: string, file: string, rounds: number) {
  const ours: number[] = []
  const floor: number[] = []
  for (let round = 0; round <= rounds; round++) {
    // The log of the round before is packed afterwards, when nothing runs: not while something is measured.
    await pause(2_000)
    const bare = await intoFile(command, file)
    const { id } = await triggerAt(service, name)
    const [job] = await jobsOf(service, name, await endOf(service, id, 100))
    if (!job) throw new Error('There is no job')
    const page = await call<{ readonly steps: readonly { readonly log_size: number }[] }>(
      service,
      'GET',
      `/api/rh/v1/job/${job.id}`,
    )
    if ((page.steps[0]?.log_size ?? 0) < 6_000_000) throw new Error('The log is not whole')
    if (round === 0) continue
    floor.push(bare)
    ours.push(Date.parse(job.stopped_at) - Date.parse(job.started_at))
  }
  const [run, base] = [median(ours), median(floor)]
  return { ours: `${run.toFixed(0)} ms`, floor: `${base.toFixed(0)} ms into a file`, ratio: run / base }
}
