import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Dialect, keyOwner, keyType, names, type Provider, providerCode } from './names.ts'

const dialects: readonly Dialect[] = ['service', 'circle']
const providers: readonly Provider[] = ['provider-a', 'provider-b', 'provider-c']

test('every name that is emitted for a provider, in any dialect, is understood when it comes back', () => {
  for (const dialect of dialects) {
    for (const provider of providers) {
      const { short, long, display } = names[dialect].providers[provider]
      assert.deepEqual([short, long, display].map(providerCode), [provider, provider, provider])
    }
  }
})

test('every key type that is emitted, in any dialect, is understood when it comes back', () => {
  for (const dialect of dialects) {
    assert.equal(keyOwner(keyType('deploy', dialect)), 'deploy')
    assert.equal(keyOwner(keyType('user', dialect)), 'user')
  }
  assert.equal(keyOwner('user-key'), 'user')
  assert.equal(keyOwner('master-key'), undefined)
})

test('a provider that nobody knows is none, whatever it is called', () => {
  assert.deepEqual(['', 'svn', '__proto__', 'constructor'].map(providerCode), [
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
