import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '#contract/catalog.ts'
import { openService } from './service.ts'

test('the interface is described on a page without scripts, which loads nothing from elsewhere', async () => {
  await using service = await openService()
  const { status, headers, text } = await service.ask({ method: 'GET', path: '/docs/api' })
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^text\/html/)
  assert.match(String(headers['content-security-policy']), /default-src 'self'/)
  assert.doesNotMatch(text, /<script|style=|\son\w+=|(?:src|href)="https?:/)
  assert.equal([...text.matchAll(/<details /g)].length, catalog.length)
  assert.match(text, /<code>\/api\/v2\/context\/\{context_id\}<\/code>/)
  const style = await service.ask({ method: 'GET', path: '/docs/api.css' })
  assert.match(style.headers['content-type'] ?? '', /^text\/css/)
})
