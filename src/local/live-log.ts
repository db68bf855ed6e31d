import type { Server } from '#cli/server.ts'
import type { JobPage } from '#contract/rh/job.ts'
import { lacksEnd, readStep } from '#cli/job-log.ts'
import { calmLine } from './terminal-text.ts'

/** Says what jobs print, line by line, each behind the name of its job. */
export function liveLogs(server: Server, say: (...lines: readonly string[]) => void, colours: boolean) {
  const read = new Map<string, { from: number; rest: Buffer }>()

  return async function tell(name: string, pages: readonly JobPage[], isLast: boolean): Promise<void> {
    for (const page of pages) {
      const who = pages.length > 1 ? `${name}.${page.node}` : name
      for (const step of page.steps) {
        const key = `${page.id} ${page.node} ${step.index}`
        const known = read.get(key) ?? { from: 0, rest: Buffer.alloc(0) }
        if (!read.has(key) && step.status !== 'waiting' && step.status !== 'skipped') say(`${who} | ==== ${step.name}`)
        if (step.status !== 'waiting') read.set(key, known)
        const printed = await readStep(server, page, step, known.from)
        known.from += printed.length
        const whole = Buffer.concat([known.rest, printed])
        // Bytes, not text: a letter may be cut in two between two looks.
        const end = isLast || (step.ended_at !== null && !lacksEnd(step)) ? whole.length : whole.lastIndexOf(10) + 1
        known.rest = whole.subarray(end)
        const lines = whole.subarray(0, end).toString('utf8').replace(/\n$/, '')
        if (end > 0) say(...lines.split('\n').map((line) => `${who} | ${calmLine(line, colours)}`))
        if (!isLast && lacksEnd(step)) break
      }
    }
  }
}
