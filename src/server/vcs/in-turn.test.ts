import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurn } from './in-turn.ts'

test('what is done to one repository is done in turn, also after a failure; what is done to others is not held up', async () => {
  const story: string[] = []
  const gate = Promise.withResolvers<void>()
  const one = inTurn('a', async () => {
    await gate.promise
    story.push('one')
    throw new Error('no')
  })
  const two = inTurn('a', async () => void story.push('two'))
  await inTurn('b', async () => void story.push('other'))
  gate.resolve()
  await assert.rejects(one, /no/)
  await two
  assert.deepEqual(story, ['other', 'one', 'two'])
})
