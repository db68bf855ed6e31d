import { useNavigate } from 'react-router'
import { cancelWorkflow, rerunWorkflow, type Workflow, type WorkflowJob } from '#contract/v2/workflow.ts'
import { type Slug, workflowPage } from '#web/address.ts'
import { callV2 } from '#web/api/calls.ts'
import { ActionButton } from '#web/parts/action-button.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { useAction } from '#web/read/use-action.ts'
import { refusalsOf } from '#web/workflow-actions.ts'

interface Props {
  readonly slug: Slug
  readonly workflow: Workflow
  readonly jobs: readonly WorkflowJob[]
}

/** What can be done with a workflow, each with its consequence. */
export function WorkflowButtons({ slug, workflow, jobs }: Props) {
  const { id, pipeline_number: number } = workflow
  const navigate = useNavigate()
  const refused = refusalsOf(workflow.status, jobs)
  const cancel = useAction(() => callV2(cancelWorkflow, { params: { id } }))
  const rerun = useAction(
    (fromFailed: boolean) => callV2(rerunWorkflow, { params: { id }, body: fromFailed ? { from_failed: true } : {} }),
    ({ workflow_id: made }) => void navigate(workflowPage(slug, number, made)),
  )
  return (
    <div className="actions">
      <ActionButton
        name="Rerun"
        consequence={`Runs all of it again on the same commit, as a new workflow (jobs: ${jobs.length})`}
        refused={refused.rerun}
        busy={rerun.isPending}
        act={() => rerun.mutate(false)}
      />
      <ActionButton
        name="Rerun from failed"
        consequence="Runs what failed and what comes after it, as a new workflow; keeps what succeeded"
        refused={refused.rerunFromFailed}
        busy={rerun.isPending}
        act={() => rerun.mutate(true)}
      />
      <ActionButton
        name="Cancel"
        look="danger"
        consequence="Stops every job that has not ended; cannot be undone"
        refused={refused.cancel}
        busy={cancel.isPending}
        act={() => cancel.mutate(undefined)}
      />
      <Trouble error={cancel.error ?? rerun.error} />
    </div>
  )
}
