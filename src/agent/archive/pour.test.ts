import assert from 'node:assert/strict'
import { test } from 'node:test'
import { release } from './pour.ts'

const after = (bytes: Uint8Array) => {
  release(bytes)
  return bytes.byteLength
}

test('bytes with a buffer of their own are given back, whatever their size', () => {
  assert.equal(after(Buffer.allocUnsafeSlow(256 * 1024)), 0)
  assert.equal(after(Buffer.allocUnsafeSlow(Buffer.poolSize)), 0)
  assert.equal(after(Buffer.allocUnsafeSlow(10_000)), 0)
})

test('a part of a buffer is left alone up to its last one', () => {
  const whole = Buffer.allocUnsafeSlow(10_000)
  assert.equal(after(whole.subarray(0, 5_000)), 5_000)
  assert.equal(after(whole.subarray(5_000)), 0)
})

test('what lies in the pool of small buffers is left alone', () => {
  for (let i = 0; i < 100; i++) assert.equal(after(Buffer.allocUnsafe(2_000)), 2_000)
})
