import { type Static, Type } from 'typebox'
import { endpoint, Page, Uuid } from '#contract/endpoint.ts'
import { JobTest } from '#contract/v2/job.ts'

/** The tests of a job as its page shows them: how many there are, and those that did not pass before all others. */
export const JobTests = Type.Object({
  total: Type.Integer(),
  failed: Type.Integer(),
  /** The first hundreds of them. */
  failures: Type.Array(JobTest),
  /** What could not be read of the results. */
  problems: Type.Array(Type.String()),
  ...Page(JobTest).properties,
})
export type JobTests = Static<typeof JobTests>

export const listTests = endpoint({
  method: 'GET',
  path: '/job/:id/tests',
  summary: 'Read the tests of a job: how many, those that failed, and a page of all',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  query: Type.Object({ 'page-token': Type.Optional(Type.String()) }),
  response: JobTests,
})
