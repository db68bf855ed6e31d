import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { drawLine, lookAfter } from './ansi.ts'
import { type Look, plain } from './look.ts'

const red: Look = { front: { kind: 'named', index: 1 } }
const textOf = (raw: string) =>
  drawLine(raw, plain)
    .spans.map((span) => span.text)
    .join('')

test('a plain line is one span', () => {
  assert.deepEqual(drawLine('hello\tworld', plain), { spans: [{ text: 'hello\tworld', look: plain }], after: plain })
})

test('colours last until they are changed, also on the next line', () => {
  const { spans, after } = drawLine('ok \x1b[31mbad', plain)
  assert.deepEqual(spans, [
    { text: 'ok ', look: plain },
    { text: 'bad', look: red },
  ])
  assert.deepEqual(drawLine('still\x1b[0m not', after).spans, [
    { text: 'still', look: red },
    { text: ' not', look: plain },
  ])
})

test('bright, 256 and exact colours, of text and ground, are understood in one sequence', () => {
  const look = drawLine('\x1b[1;4;92;48;5;196mx', plain).after
  assert.deepEqual(look, {
    bold: true,
    underline: true,
    front: { kind: 'named', index: 10 },
    back: { kind: 'exact', css: 'rgb(255 0 0)' },
  })
  assert.deepEqual(drawLine('\x1b[22;24;49;38;2;1;2;300m', look).after, {
    front: { kind: 'exact', css: 'rgb(1 2 255)' },
  })
})

test('a sequence without numbers resets', () => {
  assert.deepEqual(drawLine('\x1b[m', red).after, plain)
})

test('a carriage return lets the line be written again from its beginning', () => {
  assert.equal(textOf('progress 10%\rprogress 20%'), 'progress 20%')
  assert.equal(textOf('long line\rshort'), 'shortline')
  assert.equal(textOf('long line\r\x1b[Kshort'), 'short')
  assert.equal(textOf('abc\b\bX'), 'aXc')
})

test('erasing knows its three modes', () => {
  assert.equal(textOf('abcdef\b\b\x1b[0K'), 'abcd')
  assert.equal(textOf('abcdef\b\b\x1b[1K'), '     f')
  assert.equal(textOf('abcdef\x1b[2K\rnew'), 'new')
})

test('everything that would steer a terminal is dropped', () => {
  assert.equal(textOf('a\x1b[2J\x1b[1;1Hb\x1b(Bc\x1b=d\x1b7e\x1b[?25lf\x00\x07g\x9bh'), 'abcdefgh')
})

test('a link of a terminal leaves its text, and its address is gone', () => {
  assert.equal(textOf('see \x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x07 now'), 'see here now')
})

test('a string without an end takes the rest of its line and no more', () => {
  assert.equal(textOf('before\x1b]0;title never ends'), 'before')
})

test('characters beyond the first plane are one cell', () => {
  assert.equal(textOf('🚂🚃\r🏠'), '🏠🚃')
})

test('a line looks the same whether it is drawn in runs or, because of a carriage return, by cells', () => {
  const part = fc.constantFrom(
    'a',
    ' ',
    '\t',
    '🚂',
    '\x1b[31m',
    '\x1b[1;44m',
    '\x1b[0m',
    '\x1b[2J',
    '\x1b]8;;x\x07',
    '\x1b(B',
  )
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const raw = parts.join('')
      assert.deepEqual(drawLine(`\r${raw}`, plain), drawLine(raw, plain))
    }),
  )
})

test('the look that a line leaves is the same whether it is drawn or not', () => {
  const part = fc.constantFrom(
    'a',
    '\r',
    '\b',
    '\x1b',
    '\x1b[',
    '\x1b[31m',
    '\x1b[1;44m',
    '\x1b[0m',
    '\x1b[m',
    '\x1b[K',
    '\x1b[?7m',
    '\x1b]8;;x',
    '\x07',
    '\x1b\\',
    '\x1b(',
    '[0m',
  )
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const raw = parts.join('')
      assert.deepEqual(lookAfter(raw, red), drawLine(raw, red).after)
    }),
  )
})
