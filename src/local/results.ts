import { createWriteStream } from 'node:fs'
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { allPages } from '#cli/all-pages.ts'
import type { Server } from '#cli/server.ts'
import { type ArtifactEntry, listArtifacts } from '#contract/rh/artifacts.ts'
import type { JobPage, JobStep } from '#contract/rh/job.ts'
import { type JobTest, listJobTests } from '#contract/v2/job.ts'
import { openStep, stepEnding } from '#cli/job-log.ts'

/** What a job leaves in the folder of results. */
export interface Kept {
  /** Its logs: one file for each node. */
  readonly logs: readonly string[]
  readonly artifacts: number
  readonly tests: readonly JobTest[]
  /** Where artifacts and test results lie. */
  readonly folder: string
}

/** Where the logs of a run go, and its artifacts and test results. */
export interface Folders {
  readonly logs: string
  readonly stored: string
}

/** Keeps what an ended job has printed, stored and reported in files. */
export async function keepResults(
  server: Server,
  folders: Folders,
  name: string,
  pages: readonly JobPage[],
): Promise<Kept> {
  const stores = (type: string) => pages.some(({ steps }) => steps.some((step) => step.type === type))
  const folder = join(folders.stored, name)
  const [logs, artifacts, tests] = await Promise.all([
    keepLogs(server, folders.logs, name, pages),
    stores('store_artifacts') ? keepArtifacts(server, folder, pages) : 0,
    stores('store_test_results') ? keepTests(server, folder, pages) : [],
  ])
  return { logs, artifacts, tests, folder }
}

async function keepLogs(server: Server, folder: string, name: string, pages: readonly JobPage[]) {
  await mkdir(folder, { recursive: true })
  const files: string[] = []
  for (const page of pages) {
    const file = join(folder, pages.length > 1 ? `${name}.${page.node}.log` : `${name}.log`)
    await writeFile(file, '')
    for (const step of page.steps) {
      if (step.status === 'waiting' || (step.status === 'skipped' && step.log_size === 0)) continue
      await appendFile(file, `==== ${step.name}\n`)
      if (step.log_size > 0) await keepLog(server, file, page, step)
      if (step.status !== 'success') await appendFile(file, `---- ${step.name} ${stepEnding(step)}\n`)
    }
    if (page.failure !== null) await appendFile(file, `---- ${page.failure}\n`)
    files.push(file)
  }
  return files
}

/** Appends what a step printed, and the end of its last line if it printed none. */
async function keepLog(server: Server, file: string, page: JobPage, step: JobStep): Promise<void> {
  let last: number | undefined
  const log = await openStep(server, page, step)
  await pipeline(
    log,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        last = chunk.at(-1)
        yield chunk
      }
      if (last !== newline) yield Buffer.from('\n')
    },
    createWriteStream(file, { flags: 'a' }),
  )
}

const newline = 10

async function keepArtifacts(server: Server, folder: string, [page, ...others]: readonly JobPage[]): Promise<number> {
  if (!page) return 0
  const entries = await allPages((query) => server.rh(listArtifacts, { params: { id: page.id }, query }))
  for (const entry of entries) {
    const file = placeOf(folder, entry, others.length > 0)
    if (file === undefined) continue
    await mkdir(dirname(file), { recursive: true })
    await pipeline(await server.fetch(entry.url), createWriteStream(file))
  }
  return entries.length
}

/** Where an artifact goes; nowhere if its path would lead out of the folder. */
export function placeOf(
  folder: string,
  { path, node_index }: Pick<ArtifactEntry, 'path' | 'node_index'>,
  hasNodes: boolean,
): string | undefined {
  const base = resolve(folder, 'artifacts', ...(hasNodes ? [String(node_index)] : []))
  const file = resolve(base, path.replace(/^\/+/, ''))
  return file.startsWith(base + sep) && !path.includes('\0') ? file : undefined
}

async function keepTests(server: Server, folder: string, [page]: readonly JobPage[]): Promise<readonly JobTest[]> {
  if (!page || page.number === null) return []
  const [provider = '', org = '', repo = ''] = page.project_slug.split('/')
  const params = { provider, org, repo, job_number: page.number }
  const tests = await allPages((query) => server.v2(listJobTests, { params, query }))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'tests.json'), `${JSON.stringify(tests, undefined, 2)}\n`)
  return tests
}

/** Removes the results of all but the newest runs; their folders are named by numbers. */
export async function forgetOld(folder: string, most: number): Promise<void> {
  const runs = (await runsIn(folder)).slice(most)
  for (const run of runs) await rm(join(folder, run), { recursive: true, force: true })
}

/** The folders of runs, newest first. */
export async function runsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => /^\d+$/.test(name)).toSorted((a, b) => Number(b) - Number(a))
}

/** The name of a job as that of a file. */
export const fileName = (name: string): string => name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^\.+/, '-') || 'job'
