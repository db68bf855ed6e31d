import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownPage } from './own-page.ts'

test('a page of our own is kept with all that belongs to it', () => {
  for (const page of ['/', '/user', '/pipelines/git/o/r?branch=x#s1L2', '/search?q=%2F%2Fx', '/sign-in-help'])
    assert.equal(ownPage(page), page)
})

test('whatever would lead elsewhere, in circles, or into a header leads to the first page or nowhere else', () => {
  const tricks = [
    null,
    undefined,
    '',
    'x',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/%09//evil.example'.replace('%09', '\t'),
    '/./\t/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    ' //evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/sign-in?next=/',
    '/sign-in/provider-a',
    '/./sign-in',
    `/${'x'.repeat(1000)}`,
  ]
  for (const trick of tricks) assert.equal(ownPage(trick), '/', String(trick))
  assert.equal(ownPage('/a\r\nset-cookie: b=c'), '/aset-cookie:%20b=c')
})
