import { useNavigate } from 'react-router'
import { rerunFailedTests } from '#contract/rh/failed-tests.ts'
import { cancelWorkflow, rerunWorkflow, type Workflow, type WorkflowJob } from '#contract/v2/workflow.ts'
import { type Slug, workflowPage } from '#web/address.ts'
import { callRh, callV2 } from '#web/api/calls.ts'
import { ActionButton } from '#web/parts/action-button.tsx'
import { Menu } from '#web/parts/menu.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { useAction } from '#web/read/use-action.ts'
import { isUnsuccessful, refusalsOf } from '#web/workflow-actions.ts'
import { useForbidden } from './use-forbidden.ts'

interface Props {
  readonly slug: Slug
  readonly workflow: Workflow
  readonly jobs: readonly WorkflowJob[]
  /** The ids of the jobs that the reader has chosen. */
  readonly chosen: readonly string[]
}

type Rerun = Parameters<typeof rerunBody>[0]

const rerunBody = (how: 'whole' | 'from-failed' | 'failed-tests' | readonly string[], ssh = false) => {
  if (how === 'whole' || how === 'failed-tests') return {}
  if (how === 'from-failed') return { from_failed: true }
  return { jobs: [...how], ...(ssh && { enable_ssh: true }) }
}

/** What can be done with a workflow, each with its consequence or the reason why it cannot be done. */
export function WorkflowButtons({ slug, workflow, jobs, chosen }: Props) {
  const { id, pipeline_number: number } = workflow
  const navigate = useNavigate()
  const refused = refusalsOf(workflow.status, jobs, useForbidden(slug))
  const failed = jobs.filter((job) => job.type === 'build' && isUnsuccessful(job)).map((job) => job.id)
  const cancel = useAction(() => callV2(cancelWorkflow, { params: { id } }))
  const rerun = useAction(
    ({ how, ssh }: { readonly how: Rerun; readonly ssh?: boolean }) =>
      how === 'failed-tests'
        ? callRh(rerunFailedTests, { params: { id } })
        : callV2(rerunWorkflow, { params: { id }, body: rerunBody(how, ssh) }),
    ({ workflow_id: made }) => void navigate(workflowPage(slug, number, made)),
  )
  const none = chosen.length === 0 ? 'Choose jobs in the list first' : undefined
  return (
    <div className="actions">
      <Menu
        name="Rerun"
        busy={rerun.isPending}
        choices={[
          {
            name: 'Whole workflow',
            consequence: `Runs all of it again on the same commit, as a new workflow (jobs: ${jobs.length})`,
            refused: refused.rerun,
            act: () => rerun.mutate({ how: 'whole' }),
          },
          {
            name: 'From failed',
            consequence: 'Runs what failed and what comes after it, as a new workflow; keeps what succeeded',
            refused: refused.rerunFromFailed,
            act: () => rerun.mutate({ how: 'from-failed' }),
          },
          {
            name: 'Failed tests only',
            consequence: 'As from failed; where jobs split their tests, only those that failed are run',
            refused: refused.rerunFromFailed,
            act: () => rerun.mutate({ how: 'failed-tests' }),
          },
          {
            name: `Chosen jobs (${chosen.length})`,
            consequence: 'Runs the chosen jobs and what they need, as a new workflow',
            refused: refused.rerun ?? none,
            act: () => rerun.mutate({ how: chosen }),
          },
          {
            name: chosen.length > 0 ? 'Chosen jobs with SSH' : 'Failed jobs with SSH',
            consequence: 'Runs them and keeps them open for a while, so that you can look around inside',
            refused:
              refused.rerun ?? (chosen.length === 0 && failed.length === 0 ? 'Nothing failed or is chosen' : undefined),
            act: () => rerun.mutate({ how: chosen.length > 0 ? chosen : failed, ssh: true }),
          },
        ]}
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
