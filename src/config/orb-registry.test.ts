import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from './compile.ts'
import { byVersion, isVersion, pickVersion, readOrbReference } from './orb-reference.ts'
import { registryOf } from './orb-registry.ts'
import { messagesOf, withSteps } from './scenario.ts'

const versions = ['1.9.0', '1.10.0', '1.10.2', '2.0.0', '10.0.0', 'dev:first']

for (const [wanted, picked] of [
  ['1.9.0', '1.9.0'],
  ['1.9.1', undefined],
  ['1.10', '1.10.2'],
  ['1', '1.10.2'],
  ['2', '2.0.0'],
  ['3', undefined],
  ['volatile', '10.0.0'],
  ['dev:first', 'dev:first'],
  ['dev:second', undefined],
] as const) {
  test(`of ${versions.join(', ')} version ${wanted} is ${picked ?? 'none'}`, () => {
    assert.equal(pickVersion(wanted, versions), picked)
  })
}

test('versions are ordered by their numbers, those in development first', () => {
  assert.deepEqual(['10.0.0', '2.0.1', '2.0.0', 'dev:b', 'dev:a'].toSorted(byVersion), [
    'dev:a',
    'dev:b',
    '2.0.0',
    '2.0.1',
    '10.0.0',
  ])
})

test('what could lead out of the registry is no reference and no version', () => {
  for (const text of ['../x@1', 'a/..@1', 'a/b@../1', 'a/b@dev:..', 'a/b@dev:../x', 'a/b', 'a/b@1.2.3.4', '/a/b@1'])
    assert.equal(readOrbReference(text), undefined, text)
  assert.deepEqual(['1.2', '01.2.3', 'dev:', 'dev:a/b', 'volatile'].filter(isVersion), [])
})

const shelf = {
  versionsOf: (orb: string) => (orb === 'acme/tool' ? ['1.0.0', '1.2.0'] : []),
  textOf: (_: string, version: string) => `commands: {say: {steps: [{run: say ${version}}]}}`,
}
const orbs = registryOf(shelf)

test('a compilation tells what its references stood for', () => {
  const source = withSteps('- tool/say', 'orbs: {tool: acme/tool@1}')
  const compiled = compile(source, { parameters: {}, values: {}, orbs })
  assert.deepEqual(compiled.ok && compiled.orbs, [{ reference: 'acme/tool@1', resolved: 'acme/tool@1.2.0' }])
})

for (const [reference, message] of [
  [
    'acme/none@2.1',
    'Cannot find acme/none@2.1 in the orb registry. Check that the namespace, orb name and version are correct. ' +
      'Add it to the registry with: roundhouse orb publish <file> acme/none@2.1.0',
  ],
  [
    'acme/tool@2',
    'Cannot find acme/tool@2 in the orb registry. Check that the namespace, orb name and version are correct. ' +
      'There are versions 1.0.0, 1.2.0. Add it to the registry with: roundhouse orb publish <file> acme/tool@2.0.0',
  ],
  [
    'https://example.com/orb.yml',
    'Cannot load orb https://example.com/orb.yml: nothing is fetched from addresses here. ' +
      'Ask the server instead (POST /api/v2/compile-config-with-defaults), which fetches what its setting orb-urls allows, ' +
      'or publish a copy with: roundhouse orb publish <file> <namespace>/<name>@<version>',
  ],
  [
    'acme/tool',
    'Cannot read orb reference acme/tool as it must be <namespace>/<name>@ with 1.2.3, 1.2, 1, volatile or dev:<label>',
  ],
] as const) {
  test(`orb ${reference} is refused with advice`, () => {
    assert.deepEqual(messagesOf(withSteps('- checkout', `orbs: {tool: '${reference}'}`), { orbs }), [message])
  })
}
