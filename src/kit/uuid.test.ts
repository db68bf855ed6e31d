import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstUuidAt, isUuid, uuidv7 } from './uuid.ts'

test('ids of one process sort in the order in which they were made, however many in a millisecond', () => {
  const ids = Array.from({ length: 50_000 }, () => uuidv7(1_800_000_000_000))
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, ids.length)
})

test('an id is a UUID of version 7 that begins with its time', () => {
  const at = 1_900_000_000_000
  const id = uuidv7(at)
  assert.ok(isUuid(id))
  assert.match(id, /^........-....-7...-[89ab]/)
  assert.equal(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16), at)
})

test('the first id of a time sorts between those made before it and all others', () => {
  // Later than any of the tests before, as ids never go back.
  const at = 2_000_000_000_000
  const [before, first, after] = [uuidv7(at - 1), firstUuidAt(at), uuidv7(at)]
  assert.deepEqual([after, first, before].toSorted(), [before, first, after])
  assert.ok(isUuid(first))
})
