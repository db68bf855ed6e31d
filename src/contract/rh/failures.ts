import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OneOf, Uuid } from '#contract/endpoint.ts'
import { jobStatuses } from '#contract/v2/job.ts'

/** Why a job failed: the step, the end of what it printed, and the tests that did not pass. */
export const Failure = Type.Object({
  job_id: Uuid,
  name: Type.String(),
  status: OneOf(...jobStatuses),
  /** A sentence for people. */
  message: Type.String(),
  /** Nothing where no step failed. */
  step: Nullable(
    Type.Object({
      node: Type.Integer(),
      index: Type.Integer(),
      name: Type.String(),
      exit_code: Nullable(Type.Integer()),
      /** The last lines, and the number of the first of them; null where a log is so large and new that nobody has counted its lines. */
      first_line: Nullable(Type.Integer()),
      lines: Type.Array(Type.String()),
    }),
  ),
  failed_tests: Type.Array(Type.Object({ classname: Type.String(), name: Type.String(), file: Type.String() })),
})
export type Failure = Static<typeof Failure>

export const getFailures = endpoint({
  method: 'GET',
  path: '/workflow/:id/failures',
  summary: 'Read why the jobs of a workflow failed',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  response: Type.Object({ items: Type.Array(Failure) }),
})
