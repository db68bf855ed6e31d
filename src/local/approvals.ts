import type { Server } from '#cli/server.ts'
import { approveJob } from '#contract/v2/workflow.ts'
import type { Board } from './board.ts'
import type { PipelineView } from '#cli/pipeline-view.ts'

/** Who approves jobs on hold: what was said before, or a person who can be asked. */
export interface Approvals {
  /** Names of jobs; `all` stands for each of them. */
  readonly given: ReadonlySet<string>
  /** Asks whoever sits at the terminal; nothing where nobody does. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined
}

type GiveUp = (workflow: string, why: string) => Promise<void>

/** Approves what is to be approved. Where nobody can, and nothing else goes on, the workflow is given up. */
export async function settleApprovals(
  server: Server,
  view: PipelineView,
  { given, ask }: Approvals,
  board: Board,
  giveUp: GiveUp,
): Promise<void> {
  const isBusy = view.workflows.some(({ jobs }) =>
    jobs.some(({ type, status }) => type === 'build' && (status === 'running' || status === 'queued')),
  )
  for (const { workflow, jobs } of view.workflows) {
    for (const job of jobs) {
      if (job.type !== 'approval' || job.status !== 'on_hold') continue
      const approve = () => server.v2(approveJob, { params: { id: workflow.id, approval_request_id: job.id } })
      if (given.has('all') || given.has(job.name)) await approve()
      else if (ask) {
        board.show([])
        if (await ask(`Approve ${job.name} of workflow ${workflow.name}? [y/N] `)) await approve()
        else return giveUp(workflow.id, `${job.name} was not approved`)
      } else if (!isBusy) {
        return giveUp(
          workflow.id,
          `Job ${job.name} waits for approval, and nobody can be asked: say --approve ${job.name}`,
        )
      }
    }
  }
}
