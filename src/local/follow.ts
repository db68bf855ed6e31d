import { isEnded } from '#cli/job-status.ts'
import type { Server } from '#cli/server.ts'
import type { JobPage } from '#contract/rh/job.ts'
import type { WorkflowJob } from '#contract/v2/workflow.ts'
import { cancelWorkflow } from '#contract/v2/workflow.ts'
import { type Approvals, settleApprovals } from './approvals.ts'
import type { Board } from './board.ts'
import { failedStep, readNodes, readStep, stepEnding } from '#cli/job-log.ts'
import { liveLogs } from './live-log.ts'
import { fileName, type Folders, keepResults, type Kept } from './results.ts'
import { currentStep, failedTests, isBad, jobLine, leftBehind } from './show-job.ts'
import { settleStuck } from './stuck.ts'
import { lastLines } from './terminal-text.ts'
import { isOver, type PipelineView, readPipeline } from '#cli/pipeline-view.ts'

/** What is followed, and how. */
export interface Following {
  readonly server: Server
  readonly pipeline: string
  readonly board: Board
  readonly folders: Folders
  readonly approvals: Approvals
  readonly how: 'quiet' | 'usual' | 'verbose'
  /** When this aborts, whatever still runs is canceled. */
  readonly interrupt: AbortSignal
  /** Resolves when something may have changed, and at the latest after so long. */
  readonly changed: (ms: number) => Promise<void>
  readonly now: () => number
}

/** What came of it. */
export interface Followed {
  readonly view: PipelineView
  /** What was ended because it could not go on here. */
  readonly given: readonly string[]
  readonly kept: readonly Kept[]
  readonly tookMs: number
}

const tailLines = 20
const tailBytes = 16_384

/** Follows a pipeline to its end: tells of each job when it ends, and keeps what it leaves. */
export async function follow(following: Following): Promise<Followed> {
  const { server, board, how, interrupt } = following
  const began = following.now()
  const told = new Set<string>()
  const canceled = new Set<string>()
  const kept: Kept[] = []
  const given: string[] = []
  const liveLog = liveLogs(server, (...lines) => board.say(...lines), board.colours)
  const cancel = async (id: string) => {
    if (canceled.has(id)) return
    canceled.add(id)
    await server.v2(cancelWorkflow, { params: { id } })
  }
  const giveUp = async (workflow: string, why: string) => {
    given.push(why)
    board.say(why)
    await cancel(workflow)
  }

  for (;;) {
    const view = await readPipeline(server, following.pipeline)
    const names = namesIn(view)
    const style = { colours: board.colours, width: widthOf(names), now: following.now() }
    const lines: string[] = []
    for (const { jobs } of view.workflows) {
      for (const job of jobs) {
        const { name = job.name, file = job.name } = names.get(job.id) ?? {}
        if (told.has(job.id)) continue
        const pages = hasLog(job) ? await readNodes(server, job.id) : []
        if (how === 'verbose') await liveLog(name, pages, isEnded(job.status))
        if (!isEnded(job.status)) {
          if (job.status !== 'blocked')
            lines.push(jobLine(timed(job, pages), name, pages[0] ? currentStep(pages[0]) : '', style))
          continue
        }
        told.add(job.id)
        const left = hasLog(job) ? await keepResults(server, following.folders, file, pages) : undefined
        if (left) kept.push(left)
        const failure = isBad(job.status) ? await failureOf(following, name, pages, left) : undefined
        const more = [left && leftBehind(left), failure?.what].filter(Boolean).join('  ')
        if (how !== 'quiet' || failure)
          board.say(jobLine(timed(job, pages), name, more, style), ...(failure?.lines ?? []))
      }
    }
    board.show(lines)
    if (isOver(view) && view.workflows.every(({ jobs }) => jobs.every(({ status }) => isEnded(status)))) {
      board.show([])
      return { view, given, kept, tookMs: following.now() - began }
    }
    for (const { workflow } of view.workflows)
      if (interrupt.aborted && workflow.stopped_at === null) await cancel(workflow.id)
    if (!interrupt.aborted) {
      await settleApprovals(server, view, following.approvals, board, giveUp)
      await settleStuck(server, view, following.now(), giveUp)
    }
    await following.changed(how === 'verbose' ? 200 : 1_000)
  }
}

/** A job has printed something only if it has begun. */
const hasLog = ({ type, started_at, status }: WorkflowJob): boolean =>
  type === 'build' && started_at !== null && status !== 'not_run'

/** The job with times as its own page tells them: to the millisecond. */
const timed = (job: WorkflowJob, [page]: readonly JobPage[]): WorkflowJob =>
  page ? { ...job, started_at: page.started_at, stopped_at: page.stopped_at } : job

/** What a failed job shows of itself: why, the last that its step printed, and where all of it is. */
async function failureOf(
  { server, board, how }: Following,
  name: string,
  pages: readonly JobPage[],
  left: Kept | undefined,
): Promise<{ readonly what: string; readonly lines: readonly string[] }> {
  const found = failedStep(pages)
  const reasons = pages.flatMap(({ failure }) => failure ?? []).slice(0, 1)
  const what = found ? `step "${short(found.step.name)}" ${stepEnding(found.step)}` : (reasons[0] ?? '')
  const from = found ? Math.max(0, found.step.log_size - tailBytes) : 0
  // What was shown while it was printed need not be shown again.
  const tail =
    found && how !== 'verbose' && found.step.log_size > 0
      ? lastLines((await readStep(server, found.page, found.step, from)).toString('utf8'), tailLines, board.colours)
      : []
  return {
    what,
    lines: [
      ...tail.map((line) => `    | ${line}`),
      ...(found ? reasons : []).map((reason) => `    ${reason}`),
      ...failedTests(left?.tests ?? []).map((line) => `    ${line}`),
      ...(left ? [`    whole log: roundhouse run --logs ${name}`, ...left.logs.map((file) => `    ${file}`)] : []),
    ],
  }
}

/** A step without a name of its own is called by its command, which may be long. */
const short = (name: string): string => {
  const [line = ''] = name.split('\n')
  return line.length < name.length || line.length > 60 ? `${line.slice(0, 59)}…` : line
}

/** How each job is called: with its workflow where another workflow has one of that name. */
function namesIn({ workflows }: PipelineView): ReadonlyMap<string, { readonly name: string; readonly file: string }> {
  const count = new Map<string, number>()
  const all = workflows.flatMap(({ workflow, jobs }) => jobs.map((job) => ({ workflow: workflow.name, job })))
  for (const { job } of all) count.set(job.name, (count.get(job.name) ?? 0) + 1)
  return new Map(
    all.map(({ workflow, job }) => {
      const name = (count.get(job.name) ?? 0) > 1 ? `${workflow}/${job.name}` : job.name
      return [job.id, { name, file: fileName(name) }]
    }),
  )
}

const widthOf = (names: ReturnType<typeof namesIn>): number =>
  Math.min(40, Math.max(0, ...[...names.values()].map(({ name }) => name.length)))
