import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '#contract/catalog.ts'
import { unserved } from '#server/api/server.ts'
import { addressOf, messageOf } from './ask.ts'
import { edgeOptions, openService } from './service.ts'

test('what is not built yet is known, and says so to those who may ask', async (t) => {
  await using service = await openService()
  const missing = unserved(service.app, edgeOptions)
  t.assert.snapshot([`${missing.length} operations`, ...missing.toSorted()])
  for (const { prefix, endpoint } of catalog) {
    if (!missing.includes(`${endpoint.method} ${prefix}${endpoint.path}`)) continue
    const path = addressOf(endpoint, new Proxy({}, { get: () => '1' }))
    const stranger = await service.ask({ method: endpoint.method, path })
    const answer = await service.ask({ method: endpoint.method, path, token: service.admin.token })
    assert.equal(answer.status, 501, `${endpoint.method} ${path}: ${answer.text}`)
    assert.match(messageOf(answer), /is not built yet$/)
    const open = /anyone|public/.test(endpoint.access)
    assert.equal(stranger.status, open ? 501 : 401, `${endpoint.method} ${path} without a token: ${stranger.text}`)
  }
})
