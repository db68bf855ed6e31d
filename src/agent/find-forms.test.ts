import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { finderOf } from './find-forms.ts'

/** Every occurrence, the plain way. */
function plainly(forms: readonly Buffer[], text: Buffer): string[] {
  const places: string[] = []
  for (const form of forms)
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1))
      places.push(`${at}-${at + form.length}`)
  return places.toSorted()
}

function found(forms: readonly Buffer[], text: Buffer): string[] {
  const places: string[] = []
  finderOf(forms)(text, (start, end) => places.push(`${start}-${end}`))
  return places.toSorted()
}

// Few letters, so that forms overlap, repeat and contain each other; from one to many of a length, as each way of searching takes.
const bytes = (min: number, max: number) =>
  fc.uint8Array({ minLength: min, maxLength: max, max: 2 }).map((array) => Buffer.from(array))
const distinct = (min: number, max: number, count: number) =>
  fc.uniqueArray(bytes(min, max), { maxLength: count, selector: (form) => form.toString('hex') })

test('finds each occurrence of each form once, be they short or long, few or many', () => {
  fc.assert(
    fc.property(distinct(4, 7, 20), distinct(8, 12, 20), distinct(250, 300, 12), bytes(0, 400), (a, b, c, text) => {
      const forms = [...a, ...b, ...c]
      const whole = Buffer.concat([...c.slice(0, 2), text, ...forms.slice(-3)])
      // Anywhere in memory, as pieces of a larger buffer are.
      for (const before of [0, 1, 3]) {
        const within = Buffer.concat([Buffer.alloc(before, 1), whole]).subarray(before)
        assert.deepEqual(found(forms, within), plainly(forms, whole))
      }
    }),
    { numRuns: 100 },
  )
})

test('texts that are shorter than a form are searched too', () => {
  const forms = Array.from({ length: 20 }, (_, i) => Buffer.from(`a secret of a kind, ${i}`))
  for (const text of ['', 'a', 'abc', 'a secret of a kind, '])
    assert.deepEqual(found(forms, Buffer.from(text)), [], `of ${text.length} bytes`)
  assert.deepEqual(found(forms, Buffer.from('a secret of a kind, 7')), ['0-21'])
})
