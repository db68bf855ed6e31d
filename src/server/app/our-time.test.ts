import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant } from '#kit/brand.ts'
import { ourTime } from './our-time.ts'

const at = (time: string) => `2026-01-02T${time}.000Z`
const now = at('12:10:00') as Instant
const from = at('12:00:00')

test('times of an agent whose clock is as ours stay as they are', () => {
  assert.equal(ourTime({ sentAt: at('12:09:59'), now, from })(at('12:05:00')), at('12:05:00'))
})

test('times of an agent whose clock is hours ahead or behind are shifted by that', () => {
  assert.equal(ourTime({ sentAt: at('17:10:00'), now, from })(at('17:05:00')), at('12:05:00'))
  assert.equal(ourTime({ sentAt: at('02:10:00'), now, from })(at('02:05:00')), at('12:05:00'))
})

test('nothing is told to have happened before the agent had the job, or later than now', () => {
  const ours = ourTime({ sentAt: undefined, now, from })
  assert.deepEqual([ours(at('09:00:00')), ours(at('15:00:00'))], [from, now])
})
