import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '#contract/catalog.ts'
import { routes } from './routes.ts'

test('every route is where the contract declares it', () => {
  const declared = catalog
    .filter(({ tag }) => tag === 'agent' || tag.startsWith('agent-'))
    .map(({ operation, prefix, endpoint: { method, path } }) => [
      operation,
      method,
      `${prefix}${path}`.replace(':id', 'ID').replace(/:\w+/, '7'),
    ])
  const ours = Object.entries(routes).map(([name, { method, path }]) => [
    name,
    method,
    (path as (id: string, second: string) => string)('ID', '7'),
  ])
  assert.deepEqual(ours.toSorted(), declared.toSorted())
})
