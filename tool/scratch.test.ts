import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { openScratch } from './scratch.ts'

test('there is a folder in memory only where memory is, and others may come by', () => {
  const folder = openScratch()
  if (folder === undefined) return
  try {
    assert.deepEqual([dirname(folder), statSync(folder).mode & 0o777, readdirSync(folder)], ['/dev/shm', 0o755, []])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a place that is no memory, or is not there, is left alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-scratch-'))
  try {
    const missing = join(folder, 'missing')
    assert.deepEqual([openScratch('/proc'), openScratch(missing), existsSync(missing)], [undefined, undefined, false])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
