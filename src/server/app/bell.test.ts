import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localBell, waitFor } from './bell.ts'

const soon = () => ({ ms: 60_000, signal: new AbortController().signal })

test('a ring is heard by those who listen to its topic, and by those who listen to all, until they stop', () => {
  const bell = localBell()
  const heard: string[] = []
  const quiet = [
    bell.listen('a', () => heard.push('a')),
    bell.listen('b', () => heard.push('b')),
    bell.listenToAll((topic) => heard.push(`all ${topic}`)),
  ]
  bell.ring('a')
  for (const stop of quiet) stop()
  bell.ring('a')
  assert.deepEqual(heard, ['a', 'all a'])
})

test('whoever stops listening twice does not stop somebody else', () => {
  const bell = localBell()
  const heard: string[] = []
  const stop = bell.listen('a', () => heard.push('first'))
  stop()
  bell.listen('a', () => heard.push('second'))
  stop()
  bell.ring('a')
  assert.deepEqual(heard, ['second'])
})

test('what is there already is found without a ring', async () => {
  assert.equal(await waitFor(localBell(), ['a'], async () => 'there', soon()), 'there')
})

test('a ring wakes whoever waits, and a ring during the look is not missed', async () => {
  const bell = localBell()
  let looks = 0
  const found = waitFor(
    bell,
    ['a', 'b'],
    async () => {
      looks++
      // Rung while it looks, for the first look came too early to see it.
      if (looks === 1) bell.ring('b')
      return looks === 2 ? 'found' : undefined
    },
    soon(),
  )
  assert.equal(await found, 'found')
})

test('whoever has waited long enough, or is called away, gets nothing, and leaves nothing behind', async () => {
  const bell = localBell()
  assert.equal(
    await waitFor(bell, ['a'], async () => undefined, { ms: 5, signal: new AbortController().signal }),
    undefined,
  )
  const away = new AbortController()
  const waiting = waitFor(bell, ['a'], async () => undefined, { ms: 60_000, signal: away.signal })
  away.abort()
  assert.equal(await waiting, undefined)
})

test('a look that fails fails the wait', async () => {
  await assert.rejects(
    waitFor(localBell(), ['a'], () => Promise.reject(new Error('Blind')), soon()),
    /Blind/,
  )
})
