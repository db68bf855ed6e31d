import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '#contract/catalog.ts'
import { rewrite } from './rewrite.ts'

const all = (pairs: Readonly<Record<string, string>>) => {
  for (const [given, declared] of Object.entries(pairs)) assert.equal(rewrite(given), declared, given)
}

test('slashes that stand twice or at the end are one or none', () =>
  all({
    '/api/v1.1//me': '/api/v1.1/me',
    '//api/v1.1/me': '/api/v1.1/me',
    '/api//v1.1/me/': '/api/v1.1/me',
    '/api/v1.1/project/gh//acme/web//': '/api/v1.1/project/gh/acme/web',
    '/api/v2//me?x=//': '/api/v2/me?x=//',
    '/': '/',
    '//': '/',
    '/output/job/1/artifacts/0//tmp/a': '/api/rh/v1/job/1/artifacts/0//tmp/a',
  }))

test('what should have been encoded is encoded, and what was is left', () =>
  all({
    '/api/v1.1/project/gh/acme/web/tree/50%off': '/api/v1.1/project/gh/acme/web/tree/50%25off',
    '/api/v1.1/project/gh/acme/web/tree/50%25off': '/api/v1.1/project/gh/acme/web/tree/50%25off',
    '/api/v1.1/project/gh/acme/web/tree/100%': '/api/v1.1/project/gh/acme/web/tree/100%25',
  }))

test('a fingerprint keeps its slashes, several in a row too', () =>
  all({
    '/api/v1.1/project/gh/acme/web/checkout-key/SHA256:a/b//c+d':
      '/api/v1.1/project/gh/acme/web/checkout-key/SHA256:a%2Fb%2F%2Fc+d',
    '/api/v2//project/gh/acme/web/checkout-key/SHA256:a//b/?digest=md5':
      '/api/v2/project/gh/acme/web/checkout-key/SHA256:a%2F%2Fb?digest=md5',
    '/api/v1.1/project/gh%2Facme%2Fweb/checkout-key//SHA256:///b':
      '/api/v1.1/project/gh/acme/web/checkout-key/SHA256:%2F%2F%2Fb',
    '/api/v2/project/gh/acme/web/checkout-key/SHA256%3Aa%2F%2Fb':
      '/api/v2/project/gh/acme/web/checkout-key/SHA256%3Aa%2F%2Fb',
  }))

test('the prefix of generation 1 names no provider', () =>
  all({
    '/api/v1/me': '/api/v1.1/me',
    '/api/v1/project/acme/web/1': '/api/v1.1/project/gh/acme/web/1',
    '/api/v1/organization/acme': '/api/v1.1/organization/gh/acme',
    '/api/v1/user/repos?page=1': '/api/v1.1/user/repos/gh?page=1',
    '/api/v1/user/token': '/api/v1.1/user/token',
  }))

test('a project of generation 1.1 without a provider is one of the first provider', () => {
  all({
    '/api/v1.1/project/acme%2Fweb/envvar/A': '/api/v1.1/project/gh/acme/web/envvar/A',
    '/api/v1.1/project/acme/web/tree/a%2Fb?limit=1': '/api/v1.1/project/gh/acme/web/tree/a%2Fb?limit=1',
    '/api/v1.1/project/GitHub/acme/7': '/api/v1.1/project/GitHub/acme/7',
    '/api/v1.1/project/bitbucket/acme/tree/tree/x': '/api/v1.1/project/bitbucket/acme/tree/tree/x',
    '/api/v1.1/project/circleci/acme': '/api/v1.1/project/circleci/acme',
    '/api/v1.1/project/nowhere/acme/web': '/api/v1.1/project/nowhere/acme/web',
    '/api/v2/project/acme/web': '/api/v2/project/acme/web',
  })
  const operations = catalog
    .map(({ endpoint }) => endpoint.path)
    .filter((path) => path.startsWith('/project/:vcs/:org/:repo'))
  assert.ok(operations.length > 20)
  for (const path of operations) {
    const rest = path.slice('/project/:vcs/:org/:repo'.length).replace(':build_num', '12')
    all({ [`/api/v1.1/project/acme/web${rest}`]: `/api/v1.1/project/gh/acme/web${rest}` })
  }
})

test('slugs and ids are brought into three words', () =>
  all({
    '/api/v1.1/project/gh%2Facme%2Fweb/1': '/api/v1.1/project/gh/acme/web/1',
    '/api/v2/project/gh%2Facme/web/pipeline': '/api/v2/project/gh/acme/web/pipeline',
    '/api/v1.1/project/018f0000-0000-7000-8000-000000000001/1':
      '/api/v1.1/project/-/-/018f0000-0000-7000-8000-000000000001/1',
    '/user/heroku-key': '/api/v1.1/user/hosting-key',
  }))
