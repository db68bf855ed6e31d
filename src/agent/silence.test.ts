import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchWords } from './silence.ts'

/** A machine whose clocks stand still until they are moved. */
function machine(day = 1_000_000) {
  let [now, shift] = [50_000, day - 50_000]
  return {
    now: () => now,
    day: () => now + shift,
    pass: (ms: number) => void (now += ms),
    /** Somebody sets the time of day. */
    set: (ms: number) => void (shift += ms),
  }
}

test('a step that speaks in time is not silent, however long it takes', () => {
  const clocks = machine()
  const left = watchWords(1000, clocks.day(), 0, clocks)
  for (let i = 0; i < 100; i++) {
    clocks.pass(999)
    assert.equal(left(clocks.day() - 998), 2)
    assert.equal(left(clocks.day()), 1000)
  }
  clocks.pass(1000)
  assert.equal(left(clocks.day() - 1000), 0)
})

test('a step that says nothing at all is silent from its beginning on', () => {
  const clocks = machine()
  const left = watchWords(1000, clocks.day(), 0, clocks)
  clocks.pass(400)
  assert.equal(left(0), 600)
  clocks.pass(600)
  assert.equal(left(0), 0)
})

test('what an earlier run of a step wrote is no sign of this one, which has all of its time', () => {
  const clocks = machine()
  const earlier = clocks.day()
  clocks.pass(5000)
  const left = watchWords(1000, clocks.day(), earlier, clocks)
  assert.equal(left(earlier), 1000)
  clocks.pass(999)
  assert.equal(left(earlier), 1)
})

test('a step that is taken over has been silent for as long as it was before', () => {
  const clocks = machine()
  const since = clocks.day()
  clocks.pass(300)
  const word = clocks.day()
  clocks.pass(600)
  assert.equal(watchWords(1000, since, word, clocks)(word), 400)
})

for (const jump of [-86_400_000, 86_400_000])
  test(`a time of day that is set by ${jump / 3_600_000} hours makes nobody silent, and lets nobody be silent for longer`, () => {
    const clocks = machine(200_000_000)
    const left = watchWords(1000, clocks.day(), 0, clocks)
    clocks.pass(100)
    let word = clocks.day()
    assert.equal(left(word), 1000)
    clocks.set(jump)
    clocks.pass(500)
    assert.equal(left(word), 500, 'no word since')
    for (let i = 0; i < 5; i++) {
      clocks.pass(400)
      word = clocks.day()
      assert.equal(left(word), 1000, 'a word is one, also where it seems to be older than the step')
    }
    clocks.pass(1000)
    assert.ok(left(word) <= 0, 'silent again')
  })
