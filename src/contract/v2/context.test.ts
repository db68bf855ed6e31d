import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { createContext, setContextVariable } from './context.ts'

const owner = { id: randomUUID(), type: 'organization' }
const accepts = (body: object) => Check(createContext.schema.body, { name: 'deploy', owner, ...body })
const takes = (env_var_name: string) =>
  Check(setContextVariable.schema.params, { context_id: randomUUID(), env_var_name })

test('a context has an owner, by id or by slug', () => {
  assert.ok(accepts({}))
  assert.ok(accepts({ owner: { slug: 'provider-a/acme' } }))
  assert.equal(accepts({ owner: { type: 'organization' } }), false)
  assert.equal(accepts({ owner: { ...owner, slug: 'provider-a/acme' } }), false)
  assert.equal(accepts({ owner: { ...owner, type: 'person' } }), false)
})

test('the name of a context is one line of 1 to 200 characters with no space around it', () => {
  const good = ['a', 'two words', 'x'.repeat(200)]
  const bad = ['', ' ', ' a', 'a ', 'a\nb', 'x'.repeat(201)]
  assert.deepEqual(
    [...good, ...bad].filter((name) => accepts({ name })),
    good,
  )
})

test('the name of a variable is that of a shell variable of at most 300 characters', () => {
  const good = ['_', 'A1', 'x'.repeat(300)]
  const bad = ['', '1A', 'A-B', 'A B', 'x'.repeat(301)]
  assert.deepEqual([...good, ...bad].filter(takes), good)
})

test('the value of a variable is at most 32768 characters, and may be empty', () => {
  const holds = (value: string) => Check(setContextVariable.schema.body, { value })
  assert.ok(holds(''))
  assert.ok(holds('x'.repeat(32_768)))
  assert.equal(holds('x'.repeat(32_769)), false)
})
