import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vcsUrl } from './addresses.ts'
import type { World } from './world.ts'

const world = { terms: { baseUrl: 'http://ci.example.com' } } as World

test('the page of a repository is a page, however its code is fetched', () => {
  const table: readonly (readonly [string | null, string])[] = [
    [null, 'http://ci.example.com/git/acme/web'],
    ['https://code.example/acme/web.git', 'https://code.example/acme/web'],
    ['http://code.example:3000/acme/web.git', 'http://code.example:3000/acme/web'],
    ['git@code.example:acme/web.git', 'https://code.example/acme/web'],
    ['git@code.example:acme/tools/web', 'https://code.example/acme/tools/web'],
    ['ssh://git@code.example/acme/web.git', 'https://code.example/acme/web'],
    ['ssh://git@code.example:2222/acme/web.git', 'https://code.example/acme/web'],
    ['ssh://git@[2001:db8::1]:2222/acme/web.git', 'https://[2001:db8::1]/acme/web'],
  ]
  for (const [url, page] of table)
    assert.equal(vcsUrl(world, { provider: 'provider-a', organization: 'acme', name: 'web', url }), page)
})
