import { type Static, Type } from 'typebox'
import { Nullable, OneOf, OpenMap, Time, Uuid } from './endpoint.ts'

/*
 * What webhooks are told (§6). These bodies are sent, never received: the schemas type what is built and let a test
 * check it. Receivers must expect members that are not here.
 */

/** How a workflow can have ended, as events say it. */
export const workflowEventStatuses = ['success', 'failed', 'error', 'canceled', 'unauthorized'] as const

/** How a job can have ended, as events say it. */
export const jobEventStatuses = ['success', 'failed', 'canceled', 'unauthorized'] as const

const Text = Type.Optional(Type.String())
const Person = Type.Optional(Type.Object({ name: Text, email: Text }))

const Commit = Type.Object({
  subject: Text,
  body: Text,
  author: Person,
  authored_at: Type.Optional(Time),
  committer: Person,
  committed_at: Type.Optional(Time),
})

const Vcs = Type.Object({
  provider_name: Text,
  target_repository_url: Text,
  origin_repository_url: Text,
  revision: Text,
  commit: Type.Optional(Commit),
  branch: Text,
  tag: Text,
})

const common = { id: Uuid, happened_at: Time, webhook: Type.Object({ id: Uuid, name: Type.String() }) }

const run = {
  ...common,
  project: Type.Object({ id: Uuid, slug: Type.String(), name: Type.String() }),
  organization: Type.Object({ id: Uuid, name: Type.String() }),
  pipeline: Type.Object({
    id: Uuid,
    number: Type.Integer(),
    created_at: Time,
    trigger: Type.Object({ type: Type.String() }),
    trigger_parameters: Type.Optional(OpenMap),
    vcs: Type.Optional(Vcs),
  }),
}

const workflow = {
  id: Uuid,
  name: Type.String(),
  created_at: Time,
  stopped_at: Type.Optional(Nullable(Time)),
  url: Type.String(),
}

/** A workflow has ended. */
export const WorkflowCompleted = Type.Object({
  type: Type.Literal('workflow-completed'),
  ...run,
  workflow: Type.Object({ ...workflow, status: OneOf(...workflowEventStatuses) }),
})
export type WorkflowCompleted = Static<typeof WorkflowCompleted>

/** A job has ended; its workflow may go on, so that one has no status here. */
export const JobCompleted = Type.Object({
  type: Type.Literal('job-completed'),
  ...run,
  workflow: Type.Object(workflow),
  job: Type.Object({
    id: Uuid,
    number: Type.Integer(),
    name: Type.String(),
    status: OneOf(...jobEventStatuses),
    started_at: Time,
    stopped_at: Type.Optional(Time),
  }),
})
export type JobCompleted = Static<typeof JobCompleted>

/** Somebody tries whether a webhook works. */
export const Ping = Type.Object({ type: Type.Literal('ping'), ...common })
export type Ping = Static<typeof Ping>

/** The body of one delivery; `type` is also the event-type header. */
export type Event = WorkflowCompleted | JobCompleted | Ping
