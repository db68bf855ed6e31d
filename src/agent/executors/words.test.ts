import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { exportsOf, wordsOf } from './words.ts'

test('splits a command line at blanks and keeps what is quoted', () => {
  assert.deepEqual(wordsOf(`/bin/bash  -eo pipefail -O 'a b' x"c d"`), [
    '/bin/bash',
    '-eo',
    'pipefail',
    '-O',
    'a b',
    'xc d',
  ])
})

test('leaves out what no process can have, and what a shell keeps for itself', () => {
  assert.equal(exportsOf({ 'A-B': '1', '': '2', 'X;ls': '3', UID: '4', NUL: 'a\0b', OK: '5' }), "export OK='5'\n")
})

test('a shell gives its children exactly the variables that were written for it', () => {
  const environment = fc.dictionary(
    fc.stringMatching(/^V_[A-Za-z0-9_]{0,8}$/),
    fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').toWellFormed()),
  )
  fc.assert(
    fc.property(environment, (variables) => {
      const script = `${exportsOf(variables)}exec /usr/bin/env -0`
      const text = execFileSync('/bin/sh', ['-c', script], { env: {}, encoding: 'utf8' })
      const seen = text.split('\0').filter((entry) => entry.startsWith('V_'))
      assert.deepEqual(
        seen.toSorted(),
        Object.entries(variables)
          .map(([name, value]) => `${name}=${value}`)
          .toSorted(),
      )
    }),
    { numRuns: 40 },
  )
})
