import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'

test('values stand between commas, and what would be read otherwise is quoted', () => {
  assert.equal(csvLine(['a', 1, null, 'b,c', 'say "hi"', 'two\nlines']), 'a,1,,"b,c","say ""hi""","two\nlines"')
})

test('what a spreadsheet would take for a formula is a text, and a negative number stays one', () => {
  assert.equal(csvLine(['=1+1', '+1', '-1', '@a', -1]), "'=1+1,'+1,'-1,'@a,-1")
})
