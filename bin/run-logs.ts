import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { hint } from '#config/nearest.ts'
import { fileName, runsIn } from '#local/results.ts'
import { UsageProblem } from './usage-problem.ts'

/** Prints the whole log that a job left in the newest run that has one. */
export async function printLogs(folder: string, job: string): Promise<number> {
  const all = join(folder, 'results')
  const wanted = fileName(job)
  const seen = new Set<string>()
  for (const run of await runsIn(all)) {
    const logs = (await readdir(join(all, run)).catch(() => [])).filter((name) => name.endsWith('.log'))
    const found = logs.filter((name) => isOf(name, wanted)).toSorted((a, b) => nodeOf(a) - nodeOf(b))
    for (const log of found) await print(join(all, run, log))
    if (found.length > 0) return 0
    for (const log of logs) seen.add(log.replace(/(\.\d+)?\.log$/, ''))
  }
  if (seen.size === 0) throw new UsageProblem('Cannot find a log: nothing has run in this checkout yet')
  throw new UsageProblem(`Cannot find a log of job ${job}${hint(job, seen)}\nThere are: ${[...seen].join(', ')}`)
}

const isOf = (log: string, job: string): boolean =>
  log === `${job}.log` || (log.startsWith(`${job}.`) && /^\d+\.log$/.test(log.slice(job.length + 1)))

const nodeOf = (log: string): number => Number(/\.(\d+)\.log$/.exec(log)?.[1] ?? 0)

/** Whoever reads it may have seen enough. */
const print = (file: string): Promise<void> =>
  pipeline(createReadStream(file), process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
