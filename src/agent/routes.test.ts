import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '#contract/catalog.ts'
import { routes } from './routes.ts'

test('every route is where the contract declares it', () => {
  const ours = Object.entries(routes).map(([name, { method, path }]) => [
    name,
    method,
    (path as (id: string, index: number) => string)('ID', 7),
  ])
  const declared = Object.keys(routes).map((name) => {
    const found = catalog.find(({ generation, operation }) => generation === 'rh' && operation === name)
    const path = `${found?.prefix}${found?.endpoint.path}`
    return [name, found?.endpoint.method, path.replace(':id', 'ID').replace(':index', '7')]
  })
  assert.deepEqual(ours, declared)
})
