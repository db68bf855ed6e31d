import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'
import { PageQuery, ProjectParams } from '#contract/v2/path.ts'

const PipelineParams = Type.Object({ pipeline_id: Uuid })
/** The commit that was looked at. */
const OfCommit = Type.Object({ revision: Type.String({ minLength: 40, maxLength: 64 }) })

/** Whether the code of a fork may run: no approval is needed, it waits for one, has one, or ended without. */
export const approvalStates = ['not-needed', 'waiting', 'approved', 'ended'] as const

/** A commit of a fork of which nothing runs before somebody approves. */
export const WaitingFork = Type.Object({
  pipeline_id: Uuid,
  number: Type.Integer(),
  /** The commit that an approval is for. */
  revision: Type.String(),
  /** The first line of what it says of itself. */
  subject: Type.String(),
  branch: Type.String(),
  pull_request: Type.Object({
    number: Type.Integer(),
    url: Type.String(),
    /** What the provider last told; null where it told nothing. */
    title: Nullable(Type.String()),
    /** Where the code comes from: `owner/name`. */
    head_repository: Type.String(),
  }),
  /** False where the pull request has moved on: this commit is no longer what it is about. */
  is_newest: Type.Boolean(),
  created_at: Time,
})
export type WaitingFork = Static<typeof WaitingFork>

export const listWaitingForks = endpoint({
  method: 'GET',
  path: '/project/:provider/:org/:repo/waiting-forks',
  summary: 'List the pipelines of forks that wait for approval of their commit, newest first',
  access: 'user',
  params: ProjectParams,
  query: PageQuery,
  response: Page(WaitingFork),
})

export const getApproval = endpoint({
  method: 'GET',
  path: '/pipeline/:pipeline_id/approval',
  summary: 'Read whether a pipeline waits for approval of the commit of a fork, and whether the caller may give it',
  access: 'user',
  params: PipelineParams,
  response: Type.Object({ state: OneOf(...approvalStates), revision: Type.String(), may_approve: Type.Boolean() }),
})

export const approvePipeline = endpoint({
  method: 'POST',
  path: '/pipeline/:pipeline_id/approve',
  summary: 'Approve of the commit of a pull request of a fork; of that commit only',
  access: 'user',
  status: 202,
  params: PipelineParams,
  body: OfCommit,
  response: Type.Object({ approved_workflows: Type.Integer() }),
})

export const rejectPipeline = endpoint({
  method: 'POST',
  path: '/pipeline/:pipeline_id/reject',
  summary: 'Reject the commit of a pull request of a fork: what waits for approval of it is canceled',
  access: 'user',
  status: 202,
  params: PipelineParams,
  body: OfCommit,
  response: Type.Object({ rejected_workflows: Type.Integer() }),
})
