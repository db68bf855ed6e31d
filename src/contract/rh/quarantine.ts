import { type Static, Type } from 'typebox'
import { endpoint, Message, Nullable, Page, Time, Uuid } from '#contract/endpoint.ts'

const params = Type.Object({ id: Uuid })
const Name = Type.String({ maxLength: 4_000 })
const Part = Type.Optional(Name)
const names = { classname: Name, name: Name, file: Name }
const test = { name: Type.String({ minLength: 1, maxLength: 4_000 }), classname: Part, file: Part }
const paging = { 'page-token': Type.Optional(Type.String()) }

/** A test whose failures a team knows about. */
export const QuarantinedTest = Type.Object({
  ...names,
  reason: Type.String(),
  created_by: Nullable(Uuid),
  created_at: Time,
})
export type QuarantinedTest = Static<typeof QuarantinedTest>

export const listQuarantine = endpoint({
  method: 'GET',
  path: '/project/:id/quarantine',
  summary: 'List the tests in quarantine',
  access: 'project-or-public:view-builds',
  params,
  query: Type.Object(paging),
  response: Page(QuarantinedTest),
})

export const quarantineTest = endpoint({
  method: 'PUT',
  path: '/project/:id/quarantine',
  summary: 'Put a test into quarantine; `tests run --skip-quarantined` leaves it out',
  access: 'project:write-settings',
  params,
  body: Type.Object({ ...test, reason: Type.Optional(Type.String({ maxLength: 1_000 })) }),
  response: QuarantinedTest,
})

export const releaseTest = endpoint({
  method: 'DELETE',
  path: '/project/:id/quarantine',
  summary: 'Take a test out of quarantine',
  access: 'project:write-settings',
  params,
  query: Type.Object(test),
  response: Message,
})

export const getTestHistory = endpoint({
  method: 'GET',
  path: '/project/:id/tests/history',
  summary: 'List the results of one test, newest first',
  access: 'project-or-public:view-builds',
  params,
  query: Type.Object({ ...paging, ...test }),
  response: Type.Object({
    quarantined: Type.Boolean(),
    items: Type.Array(
      Type.Object({
        result: Type.String(),
        /** In seconds. */
        run_time: Type.Number(),
        recorded_at: Time,
        branch: Type.Optional(Type.String()),
        revision: Type.String(),
        job_id: Uuid,
        job_name: Type.String(),
        job_number: Nullable(Type.Integer()),
        workflow_id: Uuid,
      }),
    ),
    next_page_token: Nullable(Type.String()),
  }),
})
