import { useQuery } from '@tanstack/react-query'
import { approvePipeline, rejectPipeline } from '#contract/rh/forks.ts'
import type { Pipeline } from '#contract/v2/pipeline.ts'
import { callRh } from '#web/api/calls.ts'
import { ActionButton } from '#web/parts/action-button.tsx'
import { Trouble } from '#web/parts/trouble.tsx'
import { approvalQuery } from '#web/read/housekeeping-queries.ts'
import { useAction } from '#web/read/use-action.ts'

const forbidden = 'Only members of the organization may approve of it. Ask one of them.'

/** Asks for approval of the code of a fork, where a pipeline waits for it; and of the very commit that is looked at. */
export function ForkApproval({ pipeline }: { readonly pipeline: Pipeline }) {
  // Only pull requests of forks have such branches.
  const isPull = pipeline.vcs?.branch?.startsWith('pull/') ?? false
  const { data } = useQuery({ ...approvalQuery(pipeline.id), enabled: isPull })
  const approve = useAction((revision: string) =>
    callRh(approvePipeline, { params: { pipeline_id: pipeline.id }, body: { revision } }),
  )
  const reject = useAction((revision: string) =>
    callRh(rejectPipeline, { params: { pipeline_id: pipeline.id }, body: { revision } }),
  )
  if (data?.state !== 'waiting') return null
  const review = pipeline.vcs?.review_url
  return (
    <section className="sentence hold approval" aria-label="Approval of a fork">
      <div>
        <strong>This code comes from a fork, and nothing of it runs before somebody has looked at it.</strong>
        <p>
          {review === undefined ? 'Look at the pull request' : <a href={review}>Look at the pull request</a>} first:
          jobs run what the commit says, on your agents, without the secrets of the project. The approval is for{' '}
          <code>{data.revision.slice(0, 9)}</code> alone; a later push waits again.
        </p>
      </div>
      <ActionButton
        name={`Approve of ${data.revision.slice(0, 9)}`}
        look="strong"
        consequence="Lets the workflows of this commit begin"
        refused={data.may_approve ? undefined : forbidden}
        busy={approve.isPending}
        act={() => approve.mutate(data.revision)}
      />
      <ActionButton
        name={`Reject ${data.revision.slice(0, 9)}`}
        consequence="Cancels the workflows of this commit"
        refused={data.may_approve ? undefined : forbidden}
        busy={reject.isPending}
        act={() => reject.mutate(data.revision)}
      />
      {!data.may_approve && <p>{forbidden}</p>}
      <Trouble error={approve.error ?? reject.error} />
    </section>
  )
}
