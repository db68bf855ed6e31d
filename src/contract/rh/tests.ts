import { type Static, Type } from 'typebox'
import { endpoint, Nullable, Page, Uuid } from '#contract/endpoint.ts'
import { JobTest } from '#contract/v2/job.ts'

/** A test that did not pass, and where to read what it printed; null where it printed nothing that is known. */
export const FailedTest = Type.Object({ ...JobTest.properties, output: Nullable(Type.String()) })
export type FailedTest = Static<typeof FailedTest>

/** The tests of a job as its page shows them: how many there are, and those that did not pass before all others. */
export const JobTests = Type.Object({
  total: Type.Integer(),
  failed: Type.Integer(),
  /** The first hundreds of them. */
  failures: Type.Array(FailedTest),
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

export const getTestOutput = endpoint({
  method: 'GET',
  path: '/job/:id/test-output',
  summary: 'Read what a test that failed printed, and the text of its failure, as far as they are kept',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  /** As `output` of the test says. */
  query: Type.Object({ place: Type.String({ pattern: '^[0-9]{1,9}( [0-9]{1,9}){2}$' }) }),
  response: Type.Object({ text: Type.String() }),
})
