import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { checkName, formatRef, isOrganizationName, isRefName, isRepositoryName, isRevision, parseRef } from './refs.ts'

test('ordinary names of branches and tags may be used', () => {
  for (const name of [
    'main',
    'feature/x',
    'v1.2.3',
    'release-1',
    'ünï/cödé',
    'a@b',
    'dependabot/npm_and_yarn/x-1.0',
    'pull/7/head',
    '#1',
    "it's",
  ]) {
    assert.ok(isRefName(name), name)
  }
})

const hostile = [
  '',
  '-x',
  '--upload-pack=sh',
  '.hidden',
  'a/.b',
  'a..b',
  '../x',
  '/a',
  'a/',
  'a//b',
  'a b',
  'a\n',
  'a\u0000',
  'a\u007f',
]
const reserved = [
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[',
  'a\\b',
  'a.lock',
  'a.lock/b',
  'a.',
  '@',
  'a@{1}',
  'HEAD',
  'x'.repeat(251),
  '\ud800',
]

test('names that git would take for something else may not be used', () => {
  for (const name of [...hostile, ...reserved]) assert.ok(!isRefName(name), JSON.stringify(name))
})

test('revisions are whole, in lower case and nothing else', () => {
  assert.ok(isRevision('a'.repeat(40)) && isRevision('0'.repeat(64)))
  for (const text of ['a'.repeat(39), 'A'.repeat(40), `${'a'.repeat(40)}\n`, 'HEAD', ''])
    assert.ok(!isRevision(text), JSON.stringify(text))
})

test('organizations and repositories cannot be paths, options or clone URLs', () => {
  assert.ok(isOrganizationName('acme-1.x_y') && isRepositoryName('site.js'))
  for (const name of ['', '.', '..', '-x', '.x', 'a/b', 'a..b', 'a b', 'a\n', 'x'.repeat(101), 'é']) {
    assert.ok(!isOrganizationName(name) && !isRepositoryName(name), JSON.stringify(name))
  }
  assert.ok(!isRepositoryName('site.git') && !isRepositoryName('site.'))
})

test('a refused name is named in full, as text and not as control characters', () => {
  assert.throws(() => checkName('branch', 'a\nb'), {
    code: 'invalid',
    message: 'Cannot use "a\\nb" as the name of a branch',
  })
})

test('a ref is taken apart and put together again, and what is neither branch nor tag is none', () => {
  const name = fc.stringMatching(/^[a-z][a-z/.-]{0,20}$/).filter(isRefName)
  fc.assert(
    fc.property(fc.constantFrom('branch', 'tag'), name, (type, text) => {
      assert.deepEqual(parseRef(formatRef(type, text)), { type, name: text })
    }),
  )
  for (const ref of [
    'refs/notes/x',
    'refs/heads/',
    'refs/heads/-x',
    'main',
    'refs/pull/1/head',
    'HEAD',
    'refs/heads/a\nb',
  ])
    assert.equal(parseRef(ref), undefined)
})
