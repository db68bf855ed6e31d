import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pieceReader } from './log-piece.ts'

test('a character that is cut between two pieces arrives whole', () => {
  const read = pieceReader()
  const bytes = Buffer.from('a🚂b')
  const pieces = [bytes.subarray(0, 3), bytes.subarray(3)].map((piece) => read(piece.toString('base64')))
  assert.deepEqual(pieces, ['a', '🚂b'])
})

test('bytes that are no text become a mark, and what follows is read', () => {
  assert.equal(pieceReader()(Buffer.from([0x41, 0xff, 0x42]).toString('base64')), 'A\ufffdB')
})
