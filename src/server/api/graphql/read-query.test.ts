import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pick } from './pick.ts'
import { readQuery } from './read-query.ts'

const leaf = (name: string, alias = name) => ({ name, alias, args: {}, fields: [] })

test('a query is read with its variables, aliases and fragments', () => {
  const text = `
    # what clients write
    query Contexts($org: ID!, $most: Int = 20) {
      mine: organization(id: $org, first: 2, on: true, kind: GITHUB, list: [1, -2.5], deep: {a: null, b: "x\\n\\u0041"}) {
        id, ...Names
        ... on Organization { slug }
      }
    }
    fragment Names on Organization { name label: title }`
  assert.deepEqual(readQuery(text, { org: '42' }), {
    type: 'query',
    fields: [
      {
        name: 'organization',
        alias: 'mine',
        args: { id: '42', first: 2, on: true, kind: 'GITHUB', list: [1, -2.5], deep: { a: null, b: 'x\nA' } },
        fields: [leaf('id'), leaf('name'), leaf('title', 'label'), leaf('slug')],
      },
    ],
  })
  assert.equal(readQuery('{ me { id } }', {}).type, 'query')
  assert.deepEqual(readQuery('mutation { go(text: """a "b" c""") }', {}).fields[0]?.args, { text: 'a "b" c' })
})

test('what is no query is refused in words, whatever it is', () => {
  const deep = (depth: number) => `${'{a'.repeat(depth)}${'}'.repeat(depth)}`
  const bad = [
    '',
    '{',
    '{ a(',
    '{ a(b: ) }',
    '{ a(b: "x) }',
    'query { a } query { b }',
    '{ ...Missing }',
    '{ ...A } fragment A on X { ...A }',
    '{ ...A } fragment A on X { ...B ...B } fragment B on X { ...C ...C } fragment C on X { ...A }',
    deep(50),
    `{ ${'a '.repeat(2_000)} }`,
    '{ a @include(if: true) }',
    '{ a(b: [[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]) }',
    '\u0000',
    '%',
    '{ a(b: 1.) }',
  ]
  for (const text of bad) assert.throws(() => readQuery(text, {}), /^Refusal: Cannot read the GraphQL query/, text)
})

test('an answer holds what was asked for and nothing is looked up that was not', async () => {
  const asked: string[] = []
  const known = { id: '1', many: async () => (asked.push('many'), [{ name: 'a' }, { name: 'b' }]), secret: 'x' }
  const fields = (text: string) => readQuery(text, {}).fields
  assert.deepEqual(await pick(known, fields('{ id }'), 'Thing'), { id: '1' })
  assert.deepEqual(asked, [])
  assert.deepEqual(await pick(known, fields('{ all: many { name } }'), 'Thing'), {
    all: [{ name: 'a' }, { name: 'b' }],
  })
  await assert.rejects(pick(known, fields('{ nope }'), 'Thing'), /Cannot query field `nope' on type `Thing'/)
  await assert.rejects(pick(known, fields('{ id { x } }'), 'Thing'), /Cannot query field `x' on type `id'/)
  await assert.rejects(pick(known, fields('{ many }'), 'Thing'), /Cannot answer many/)
  await assert.rejects(pick(known, fields('{ constructor }'), 'Thing'), /Cannot query field/)
})
