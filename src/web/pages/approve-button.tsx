import { approveJob, type WorkflowJob } from '#contract/v2/workflow.ts'
import type { Slug } from '#web/address.ts'
import { callV2 } from '#web/api/calls.ts'
import { ActionButton } from '#web/parts/action-button.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { useAction } from '#web/read/use-action.ts'
import { useForbidden } from './use-forbidden.ts'

interface Props {
  readonly slug: Slug
  readonly workflow: string
  readonly job: WorkflowJob
}

/** Whether a job waits for somebody's approval. */
export const isApprovable = ({ type, status }: WorkflowJob): boolean => type === 'approval' && status === 'on_hold'

/** Approves a job where it stands; nothing where nobody is asked. */
export function ApproveButton(props: Props) {
  return isApprovable(props.job) ? <Approve {...props} /> : null
}

function Approve({ slug, workflow, job }: Props) {
  const forbidden = useForbidden(slug)
  const approve = useAction(() =>
    callV2(approveJob, { params: { id: workflow, approval_request_id: job.approval_request_id ?? job.id } }),
  )
  return (
    <>
      <ActionButton
        name={`Approve ${job.name}`}
        look="quiet strong"
        consequence="Lets the jobs that wait for it start"
        refused={forbidden}
        busy={approve.isPending}
        act={() => approve.mutate(undefined)}
      />
      <Trouble error={approve.error} />
    </>
  )
}
