import assert from 'node:assert/strict'
import { test } from 'node:test'
import { badgePath } from './badge-path.ts'

test('names the picture of a project, and of a branch with slashes and signs', () => {
  const slug = { provider: 'p', org: 'acme', repo: 'a b' }
  assert.equal(badgePath(slug, ''), '/p/acme/a%20b.svg')
  assert.equal(badgePath(slug, 'fix/50%?'), '/p/acme/a%20b/tree/fix/50%25%3F.svg')
})
