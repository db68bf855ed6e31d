import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterSignIn, jobPage, pipelinesPage, projectIn, signInWay, slugText, toSlug } from './address.ts'

test('every part of an address is encoded', () => {
  const slug = { provider: 'git', org: 'a/b', repo: '<img src=x>?#' }
  assert.equal(pipelinesPage(slug), '/pipelines/git/a%2Fb/%3Cimg%20src%3Dx%3E%3F%23')
  assert.deepEqual(projectIn(jobPage(slug, 3, 'w', 'j')), slug)
})

test('pages that are about no project name none', () => {
  assert.deepEqual(['/', '/sign-in', '/pipelines/git/org', '/pipelines/%/b/c'].map(projectIn), Array(4).fill(undefined))
})

test('a slug is read and written', () => {
  assert.equal(slugText(toSlug('git/org/repo')), 'git/org/repo')
})

test('whoever signs in stays where they are, or goes where the page to sign in was told', () => {
  const at = (pathname: string, search = '', hash = '') => afterSignIn({ pathname, search, hash })
  assert.equal(at('/pipelines/git/o/r', '?branch=x', '#s1L2'), '/pipelines/git/o/r?branch=x#s1L2')
  assert.equal(at('/sign-in', '?next=%2Fuser'), '/user')
  assert.equal(at('/sign-in', '?next=%2F%2Fevil.example'), '/')
})

test('whoever signs in at a provider is brought back there too', () => {
  const at = (pathname: string, search = '', hash = '') => signInWay('/sign-in/openid', { pathname, search, hash })
  assert.equal(
    at('/pipelines/git/o/r', '?branch=x', '#s1L2'),
    '/sign-in/openid?next=%2Fpipelines%2Fgit%2Fo%2Fr%3Fbranch%3Dx%23s1L2',
  )
  assert.equal(at('/sign-in', '?next=%2Fuser'), '/sign-in/openid?next=%2Fuser')
  assert.equal(at('/sign-in', '?next=%2F%2Fevil.example'), '/sign-in/openid')
})
