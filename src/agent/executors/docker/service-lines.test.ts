import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServiceMark } from '#agent/executors/executor.ts'
import { lineReader } from './service-lines.ts'

/** Lines as an engine keeps them: the time of each, and what it says. */
const kept = [
  '2026-11-16T10:00:00.000000001Z one\n',
  '2026-11-16T10:00:00.900000000Z two\n',
  // Of the other output, and kept a moment later.
  '2026-11-16T10:00:00.800000000Z three\n',
  '2026-11-16T10:00:00.900000000Z four\n',
  '2026-11-16T10:00:05.5Z five\n',
  '2026-11-16T10:00:05Z six\n',
]

const timeOf = (line: string) => Date.parse(line.split(' ')[0] ?? '') * 1000

/** Reads what is kept from behind a mark on, a line at a time, up to so many. */
function read(from: ServiceMark | undefined, most: number) {
  let text = ''
  let mark = from
  const reader = lineReader(from?.lines ?? 0, (bytes, behind) => {
    text += bytes.toString()
    mark = behind
  })
  let shown = 0
  for (const line of kept.filter((one) => timeOf(one) >= Math.floor((from?.since ?? 0) / 1000) * 1000)) {
    if (shown >= most) break
    const before = text
    const bytes = Buffer.from(line)
    reader.frame(bytes.subarray(0, 7), false)
    reader.frame(bytes.subarray(7), true)
    reader.flush()
    if (text !== before) shown++
  }
  return { text, mark }
}

test('wherever reading breaks off, it goes on with the next line', () => {
  const whole = 'one\ntwo\nthree\nfour\nfive\nsix\n'
  assert.equal(read(undefined, 99).text, whole)
  for (let first = 0; first <= kept.length; first++) {
    const start = read(undefined, first)
    for (let second = 0; second <= kept.length - first; second++) {
      const middle = read(start.mark, second)
      assert.equal(start.text + middle.text + read(middle.mark, 99).text, whole)
    }
  }
})

test('what has no time is shown as it is', () => {
  const shown: string[] = []
  const reader = lineReader(0, (bytes) => shown.push(bytes.toString()))
  for (const line of ['no time here\n', '\n']) reader.frame(Buffer.from(line), true)
  reader.flush()
  assert.deepEqual(shown, ['no time here\n\n'])
})
