import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Endpoint, Input, Output } from './endpoint.ts'
import type { BuildSummary, ListedBuild, ShallowBuild } from './v1/build.ts'
import { listProjectBuilds, type triggerBuild } from './v1/builds.ts'
import type { getMe } from './v2/user.ts'
import { approveJob, type listWorkflowJobs, type rerunWorkflow } from './v2/workflow.ts'

/** Compiles only where a value of one type may be used as another. */
const fits = <Wide>(value: Wide): Wide => value

test('a declared endpoint answers 200 in JSON unless it says otherwise', () => {
  assert.deepEqual([listProjectBuilds.status, listProjectBuilds.form], [200, 'json'])
  assert.equal(approveJob.status, 202)
})

test('types hold callers and handlers to the declaration', () => {
  const id = randomUUID()
  fits<Endpoint>(approveJob)
  fits<Input<typeof approveJob>>({ params: { id, approval_request_id: id } })
  // @ts-expect-error a missing parameter does not compile
  fits<Input<typeof approveJob>>({ params: { id } })
  // @ts-expect-error a body where none is declared does not compile
  fits<Input<typeof approveJob>>({ params: { id, approval_request_id: id }, body: {} })
  fits<Input<typeof rerunWorkflow>>({ params: { id }, body: { from_failed: true } })
  // @ts-expect-error an unknown member of a body does not compile
  fits<Input<typeof rerunWorkflow>>({ params: { id }, body: { fromFailed: true } })
  // @ts-expect-error an answer without its last page token does not compile
  fits<Output<typeof listWorkflowJobs>>({ items: [] })
  // @ts-expect-error a word that is not in a closed list does not compile
  fits<BuildSummary['lifecycle']>('scheduled')
  // @ts-expect-error a user without a login does not compile
  fits<Output<typeof getMe>>({ id, name: 'Ada' })
})

test('a list of builds may answer either form of a build', () => {
  const listed = (build: ListedBuild): Output<typeof listProjectBuilds> => [build]
  fits<(build: BuildSummary) => unknown>(listed)
  fits<(build: ShallowBuild) => unknown>(listed)
  // @ts-expect-error the shallow form is no answer to a trigger
  fits<(build: ShallowBuild) => Output<typeof triggerBuild>>((build) => build)
})
