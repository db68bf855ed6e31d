import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')

/** The last cell of a row that names a test: `path`: name. */
const named = [...page.matchAll(/\| `([^`|]+\.test\.ts)`: ([^|\n]+?) \|$/gm)].map(([, path = '', name = '']) => ({
  path,
  name,
}))

/** As a pattern: what a table fills in stands in the file as a place to be filled. */
function isIn(text: string, name: string): boolean {
  const escaped = name.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`['"\`]${escaped.join(String.raw`\$\{[^}]+\}`)}['"\`]`).test(text)
}

test('every test that the page about security names is there', () => {
  const missing = named.filter(({ path, name }) => {
    const file = join(root, path)
    return !existsSync(file) || !isIn(readFileSync(file, 'utf8'), name)
  })
  assert.deepEqual(missing, [])
})

test('every row of the page about security names a test', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (attack|what fetches|---)/.test(line))
  assert.equal(named.length, rows.length)
  assert.ok(rows.length >= 60)
})
