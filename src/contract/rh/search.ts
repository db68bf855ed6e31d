import { type Static, Type } from 'typebox'
import { endpoint, Nullable, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'

/** What can be looked for. */
export const searchKinds = ['project', 'branch', 'pipeline', 'test'] as const

/** One thing that was found, with what its address is made of. */
export const SearchHit = Type.Object({
  kind: OneOf(...searchKinds),
  project_slug: Type.String(),
  /** The repository, the branch, the subject of the commit, or the test. */
  name: Type.String(),
  branch: Nullable(Type.String()),
  pipeline_number: Nullable(Type.Integer()),
  workflow_id: Nullable(Uuid),
  job_id: Nullable(Uuid),
  at: Nullable(Time),
})
export type SearchHit = Static<typeof SearchHit>

export const search = endpoint({
  method: 'GET',
  path: '/search',
  summary:
    'Find projects, branches, pipelines and tests by their words; of one kind page after page, else the first few of each',
  access: 'user',
  query: Type.Object({
    q: Type.String({ minLength: 1, maxLength: 200 }),
    kind: Type.Optional(OneOf(...searchKinds)),
    'page-token': Type.Optional(Type.String()),
  }),
  response: Page(SearchHit),
})
