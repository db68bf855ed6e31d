import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isPassword } from './passwords.ts'

test('a password is known again, however its letters are put together, and no other is', async () => {
  const kept = await hashPassword('caf\u00e9 au lait')
  assert.match(kept, /^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
  assert.equal(await isPassword('cafe\u0301 au lait', kept), true)
  assert.equal(await isPassword('cafe au lait', kept), false)
  assert.notEqual(await hashPassword('caf\u00e9 au lait'), kept)
})

test('where there is no password, none fits', async () => {
  assert.equal(await isPassword('', undefined), false)
  assert.equal(await isPassword('anything', 'broken'), false)
})
