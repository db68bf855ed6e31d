import { allPages } from '#cli/all-pages.ts'
import { columns } from '#cli/columns.ts'
import { isEnded } from '#cli/job-status.ts'
import { lacksEnd, openStep, readNodes } from '#cli/job-log.ts'
import type { Server } from '#cli/server.ts'
import { listArtifacts } from '#contract/rh/artifacts.ts'
import type { JobPage } from '#contract/rh/job.ts'
import { pause } from '#kit/backoff.ts'
import type { Told } from './told.ts'

type Print = (bytes: Uint8Array) => Promise<void>

/** `logs`: everything that a job printed, step by step; with `follow` until it has ended. */
export async function printJob(server: Server, job: string, follow: boolean, print: Print): Promise<void> {
  const printed = new Map<string, number>()
  const line = (text: string) => print(Buffer.from(`${text}\n`))
  for (;;) {
    const pages = await readNodes(server, job)
    const [first] = pages
    const isLast = !first || !follow || isEnded(first.status)
    for (const page of pages) await printNode(server, page, { isLast, isOne: pages.length === 1 }, printed, print, line)
    if (isLast) {
      if (first?.failure) await line(`---- ${first.failure}`)
      return
    }
    await pause(500)
  }
}

async function printNode(
  server: Server,
  page: JobPage,
  { isLast, isOne }: { readonly isLast: boolean; readonly isOne: boolean },
  printed: Map<string, number>,
  print: Print,
  line: (text: string) => Promise<void>,
): Promise<void> {
  for (const step of page.steps) {
    if (step.status === 'waiting') continue
    const key = `${page.node} ${step.index}`
    if (!printed.has(key)) await line(`==== ${isOne ? '' : `node ${page.node}: `}${step.name}`)
    const from = printed.get(key) ?? 0
    if (step.log_size > from) for await (const chunk of await openStep(server, page, step, from)) await print(chunk)
    printed.set(key, Math.max(from, step.log_size))
    if (!isLast && lacksEnd(step)) return
  }
}

/** `artifacts`: what a job stored; `save` gets each of them if they are to be saved. */
export async function tellArtifacts(
  server: Server,
  job: string,
  save?: (
    entry: { readonly path: string; readonly node_index: number },
    bytes: AsyncIterable<Uint8Array>,
  ) => Promise<void>,
): Promise<Told> {
  const entries = await allPages((query) => server.rh(listArtifacts, { params: { id: job }, query }))
  for (const entry of entries) await save?.(entry, await server.fetch(entry.url))
  const rows = entries.map(({ path, node_index, size, url }) => [path, String(node_index), String(size), url])
  // Links that open it for anybody are not for output that is kept.
  const data = entries.map(({ path, node_index, size, url }) => ({ path, node_index, size, url }))
  return { text: rows.length > 0 ? columns(['PATH', 'NODE', 'SIZE', 'URL'], rows) : 'There are no artifacts', data }
}
