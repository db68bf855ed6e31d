import { Type } from 'typebox'
import { endpoint, Uuid } from '#contract/endpoint.ts'

export const rerunFailedTests = endpoint({
  method: 'POST',
  path: '/workflow/:id/rerun-failed-tests',
  summary: 'Run a workflow again from what failed; `tests run` in it runs only the tests that failed',
  access: 'user',
  status: 202,
  params: Type.Object({ id: Uuid }),
  response: Type.Object({ workflow_id: Uuid }),
})
