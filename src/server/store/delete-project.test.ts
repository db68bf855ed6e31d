import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallWorld } from '#test/world.ts'
import { ofJobs, ofProjects } from './delete-project.ts'

test('whatever is about a project or a job goes with it: a new table must be told to those who delete', async () => {
  await using it = await smallWorld('sqlite')
  const tables = await it.world.db.introspection.getTables()
  const having = (column: string) =>
    tables.filter(({ columns }) => columns.some(({ name }) => name === column)).map(({ name }) => name)
  // These go with their workflow or pipeline.
  const others = ['events', 'jobs', 'workflows', 'pipelines']
  const known = [...ofProjects, ...ofJobs, ...others]
  assert.deepEqual(
    [...having('project_id'), ...having('job_id')].filter((name) => !known.some((one) => one === name)),
    [],
  )
})
