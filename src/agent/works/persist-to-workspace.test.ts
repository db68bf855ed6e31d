import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shellFiles } from '#agent/executors/shell-files.ts'
import { tempFolder } from '#agent/testing/world.ts'
import { withHidden } from './persist-to-workspace.ts'

test('patterns of a workspace find hidden files too, at every level', async () => {
  using folder = tempFolder()
  for (const name of ['.git/.x', '.git/y', 'src/.env', 'src/a.js']) {
    mkdirSync(join(folder.path, name, '..'), { recursive: true })
    writeFileSync(join(folder.path, name), '')
  }
  const find = (pattern: string) => shellFiles.find(folder.path, withHidden(pattern))
  assert.deepEqual(await find('*'), ['.git', 'src'])
  assert.deepEqual(await find('*/*'), ['.git/.x', '.git/y', 'src/.env', 'src/a.js'])
  assert.deepEqual(await find('src/?env'), ['src/.env'])
  assert.deepEqual(await find('src/*.js'), ['src/a.js'])
  assert.deepEqual(withHidden('src/a.js'), ['src/a.js'])
})
