import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './nearest.ts'

test('a typo is known by what it is near to', () => {
  const known = ['image', 'environment', 'working_directory', 'run', 'a']
  const found = ['imgae', 'enviroment', 'working-directory', 'rnu', 'b', 'ports', 'image', 'x'.repeat(100)].map(
    (wrong) => nearest(wrong, known),
  )
  assert.deepEqual(found, ['image', 'environment', 'working_directory', 'run', 'a', undefined, undefined, undefined])
})
