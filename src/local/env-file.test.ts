import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadEnvFile, readEnvFile } from './env-file.ts'

test('an env file brings variables, and behind the name of a context those of the context', () => {
  const text = `# a comment
PLAIN=one two   # a comment
export EXPORTED = yes
EMPTY=
HASH=a#b
SINGLE='$as "it" is\\n'
DOUBLE="two\\nlines \\"quoted\\" \\$5"
KEY="-----BEGIN
middle
-----END"
[deploy]
TOKEN=abc
[empty]
[ two words ]
TOKEN=def
`
  assert.deepEqual(readEnvFile('.env', text), {
    variables: {
      PLAIN: 'one two',
      EXPORTED: 'yes',
      EMPTY: '',
      HASH: 'a#b',
      SINGLE: '$as "it" is\\n',
      DOUBLE: 'two\nlines "quoted" $5',
      KEY: '-----BEGIN\nmiddle\n-----END',
    },
    contexts: { deploy: { TOKEN: 'abc' }, empty: {}, 'two words': { TOKEN: 'def' } },
  })
})

test('what cannot be read is told by its line, without what stands there', () => {
  for (const [text, told] of [
    ['A=1\nhunter2', '.env:2: Cannot read this line as it must be NAME=value'],
    ['1A=hunter2', '.env:1: Cannot read this line as it must be NAME=value'],
    ['A="hunter2\nB=1', '.env:1: Cannot find the end of the quotes that begin here'],
  ] as const)
    assert.throws(() => readEnvFile('.env', text), new BadEnvFile(told))
})
