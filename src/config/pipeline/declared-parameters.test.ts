import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declaredParameters } from './declared-parameters.ts'

test('names every pipeline parameter with its type, default, choices and description, in the order of the text', () => {
  const source = `version: 2.1
parameters:
  deep: { type: boolean, default: false, description: Run the long tests }
  where: { type: enum, default: staging, enum: [staging, production] }
  times: { type: integer, default: 3 }
  note: { type: string, default: '' }
`
  assert.deepEqual(declaredParameters(source), [
    { name: 'deep', type: 'boolean', usual: false, description: 'Run the long tests', choices: [] },
    { name: 'where', type: 'enum', usual: 'staging', description: undefined, choices: ['staging', 'production'] },
    { name: 'times', type: 'integer', usual: 3, description: undefined, choices: [] },
    { name: 'note', type: 'string', usual: '', description: undefined, choices: [] },
  ])
})

test('finds nothing in a text that declares nothing, or wrongly', () => {
  for (const source of ['', '[', 'version: 2.1', 'parameters: [a]', 'parameters: { a: { type: steps }, b: 1 }'])
    assert.deepEqual(declaredParameters(source), [], source)
})
