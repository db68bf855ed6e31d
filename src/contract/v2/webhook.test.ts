import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { Check } from 'typebox/value'
import { createWebhook, updateWebhook } from './webhook.ts'

const accepts = (body: unknown) => Check(createWebhook.schema.body, body)

const named = {
  name: 'chat',
  url: 'https://chat.example.com/ci',
  events: ['workflow-completed'],
  scope: { id: randomUUID(), type: 'project' },
}
const secured = { ...named, 'verify-tls': true, 'signing-secret': 'shh' }

describe('a new webhook', () => {
  test('may be spelled with hyphens, with underscores, or with both', () => {
    assert.ok(accepts(secured))
    assert.ok(accepts({ ...named, verify_tls: false, signing_secret: 'shh' }))
    assert.ok(accepts({ ...named, 'verify-tls': false, signing_secret: 'shh' }))
  })

  test('must say whether certificates are checked, and have a secret', () => {
    assert.equal(accepts({ ...named, 'verify-tls': true }), false)
    assert.equal(accepts({ ...named, 'signing-secret': 'shh' }), false)
  })

  test('wants at least one event, and only events that there are', () => {
    assert.equal(accepts({ ...secured, events: [] }), false)
    assert.equal(accepts({ ...secured, events: ['pipeline-completed'] }), false)
  })

  test('belongs to a project and to nothing else', () => {
    assert.equal(accepts({ ...secured, scope: { id: randomUUID(), type: 'organization' } }), false)
    assert.equal(accepts({ ...secured, scope: { id: '12', type: 'project' } }), false)
  })
})

test('a changed webhook needs nothing, and keeps the rules of what it is given', () => {
  assert.ok(Check(updateWebhook.schema.body, {}))
  assert.equal(Check(updateWebhook.schema.body, { events: [] }), false)
})
