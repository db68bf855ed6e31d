import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** Where a time of day is what is wanted: to compare with dates of files and ends that others set, for others to read, or as a number that only grows. */
const wanted = [
  'checkout/mirror.ts',
  'checkout/mirrors.ts',
  'executors/docker/clouds/clouds.ts',
  'executors/docker/out-of-memory.ts',
  'executors/shell-terminal.ts',
  'run-step.ts',
  'silence.ts',
  'works/cache-key.ts',
  'works/wait-for-ssh.ts',
]

test('how long something lasts is measured with a clock that nobody sets', () => {
  const here = import.meta.dirname
  const files = globSync('**/*.ts', { cwd: here }).filter((file) => !/\.test\.ts$|^testing\//.test(file))
  const found = files.filter((file) => readFileSync(join(here, file), 'utf8').includes('Date.now()'))
  assert.deepEqual(found.toSorted(), wanted)
})
