import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { JobPage } from '#contract/rh/job.ts'
import { cancelJob } from '#contract/v2/job.ts'
import { rerunWorkflow } from '#contract/v2/workflow.ts'
import { type Slug, workflowPage } from '#web/address.ts'
import { callV2 } from '#web/api/calls.ts'
import { ActionButton } from '#web/parts/action-button.tsx'
import { Menu } from '#web/parts/menu.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { workflowQuery } from '#web/read/queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { refusalsOf } from '#web/workflow-actions.ts'
import { useForbidden } from './use-forbidden.ts'

const unended: readonly JobPage['status'][] = ['running', 'queued', 'not_running']

/** What can be done with a job. */
export function JobButtons({ slug, job }: { readonly slug: Slug; readonly job: JobPage }) {
  const navigate = useNavigate()
  const forbidden = useForbidden(slug)
  const { data: workflow } = useQuery(workflowQuery(job.workflow.id))
  const refused = refusalsOf(workflow?.status ?? 'running', [], forbidden)
  const rerun = useAction(
    (ssh: boolean) =>
      callV2(rerunWorkflow, {
        params: { id: job.workflow.id },
        body: { jobs: [job.id], ...(ssh && { enable_ssh: true }) },
      }),
    ({ workflow_id: made }) => void navigate(workflowPage(slug, job.pipeline.number, made)),
  )
  const cancel = useAction(() => callV2(cancelJob, { params: { ...slug, job_number: job.number ?? 0 } }))
  const going = unended.includes(job.status) && job.number !== null
  const wait = refused.rerun === 'It has not ended yet' ? 'Its workflow has not ended yet' : refused.rerun
  return (
    <div className="actions">
      <Menu
        name="Rerun"
        busy={rerun.isPending}
        choices={[
          {
            name: 'This job',
            consequence: 'Runs it and what it needs again, as a new workflow',
            refused: wait,
            act: () => rerun.mutate(false),
          },
          {
            name: 'This job with SSH',
            consequence: 'Runs it again and keeps it open for a while; its log tells how to come in',
            refused: wait,
            act: () => rerun.mutate(true),
          },
        ]}
      />
      <ActionButton
        name="Cancel"
        look="danger"
        consequence="Stops this job; cannot be undone"
        refused={forbidden ?? (going ? undefined : 'It does not run')}
        busy={cancel.isPending}
        act={() => cancel.mutate(undefined)}
      />
      <Trouble error={cancel.error ?? rerun.error} />
    </div>
  )
}
