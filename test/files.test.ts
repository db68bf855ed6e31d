import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTest, sources } from './sources.ts'

const most = 400
const all = sources('src/**/*.{ts,tsx}', 'bin/**/*.ts', 'tool/**/*.{ts,mjs}', 'bench/**/*.ts', 'test/**/*.ts')

test('no source file has more than 400 lines', () => {
  const long = all
    .filter(({ path }) => !isTest(path) && !path.includes('/migrations/') && !path.includes('/fixtures/'))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
    .filter(({ lines }) => lines > most)
  assert.deepEqual(long, [])
})

test('nothing is exported without a name', () => {
  const nameless = all.filter(
    ({ path, text }) => /^export\s+(default\b|\{[^}]*\bas\s+default\b)/m.test(text) && !path.endsWith('vite.config.ts'),
  )
  assert.deepEqual(
    nameless.map(({ path }) => path),
    [],
  )
})

test('the program does not import node:http: that reads all it exports, and so loads a WebSocket client, 10 MB', () => {
  const importing = all.filter(
    ({ path, text }) =>
      /^src\/(?!web\/|.*\/testing\/|.*\/lab\.ts)/.test(path) &&
      !isTest(path) &&
      /^import (?!type ).*'node:http'$/m.test(text),
  )
  assert.deepEqual(
    importing.map(({ path }) => path),
    [],
  )
})

test('files are named in kebab-case', () => {
  const odd = all.filter(
    ({ path }) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*\.(ts|tsx|mjs|d\.mts)$/.test(path.split('/').at(-1) ?? ''),
  )
  assert.deepEqual(
    odd.map(({ path }) => path),
    [],
  )
})

test('documents name only tests that there are', () => {
  const named = sources('docs/**/*.md', '*.md').flatMap(({ path, text }) =>
    [...text.matchAll(/`([\w./-]+\.test\.tsx?)`/g)].map((match) => ({ path, test: match[1]! })),
  )
  const present = new Set(all.map(({ path }) => path))
  assert.deepEqual(
    named.filter(({ test: file }) => !present.has(file)),
    [],
  )
})
