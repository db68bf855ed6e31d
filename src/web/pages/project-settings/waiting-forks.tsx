import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { approvePipeline, rejectPipeline, type WaitingFork } from '#contract/rh/forks.ts'
import { pipelinePage } from '#web/address.ts'
import { callRh } from '#web/api/calls.ts'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { When } from '#web/parts/when.tsx'
import { waitingForksQuery } from '#web/read/housekeeping-queries.ts'
import type { SectionProps } from './section-props.ts'

const forbidden = 'Only members of the organization may decide about it.'

/** The commits of forks that wait for somebody to look at them. */
export function WaitingForks({ slug, access }: SectionProps) {
  const forks = useInfiniteQuery(waitingForksQuery(slug))
  const refused = access.may_build ? undefined : forbidden
  return (
    <>
      <SectionHead
        inner
        name="Commits of forks that wait"
        about="Nothing of them runs before a member approves. An approval is for one commit: a later push waits again."
        refused={refused}
      />
      <PagedTable
        list={forks}
        more="More commits"
        caption="Commits of forks that wait for approval"
        empty="No commit of a fork waits."
        keyOf={({ pipeline_id }) => pipeline_id}
        columns={[
          {
            name: 'Commit',
            cell: ({ number, revision, subject }) => (
              <>
                <Link to={pipelinePage(slug, number)}>
                  <code>{revision.slice(0, 9)}</code>
                </Link>{' '}
                {subject}
              </>
            ),
          },
          { name: 'Pull request', cell: (fork) => <Pull fork={fork} /> },
          { name: 'From', cell: ({ pull_request }) => pull_request.head_repository },
          { name: 'Since', cell: ({ created_at }) => <When at={created_at} /> },
          { name: 'Actions', unseen: true, cell: (fork) => <Decide fork={fork} refused={refused} /> },
        ]}
      />
    </>
  )
}

function Pull({ fork: { pull_request: pull, is_newest } }: { readonly fork: WaitingFork }) {
  const name = `#${pull.number} ${pull.title ?? ''}`
  return (
    <>
      {pull.url === '' ? name : <a href={pull.url}>{name}</a>}
      {!is_newest && <small className="soft"> has moved on</small>}
    </>
  )
}

function Decide({ fork, refused }: { readonly fork: WaitingFork; readonly refused: string | undefined }) {
  const { pipeline_id, revision } = fork
  const what = `commit ${revision.slice(0, 9)}`
  const request = { params: { pipeline_id }, body: { revision } }
  return (
    <>
      <ConfirmedAction
        name="Approve"
        what={what}
        question="Have you looked at this commit? Its jobs run what it says, on your agents."
        act={() => callRh(approvePipeline, request)}
        refused={refused}
      />
      <ConfirmedAction
        name="Reject"
        what={what}
        question="Reject this commit? Its workflows are canceled."
        act={() => callRh(rejectPipeline, request)}
        refused={refused}
      />
    </>
  )
}
