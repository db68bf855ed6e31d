import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { openRedaction, redactorFor } from './redact.ts'
import { formsOf } from './secret-forms.ts'

function redact(secrets: readonly string[], ...pieces: readonly Uint8Array[]): Buffer {
  const redactor = redactorFor(secrets)()
  // Views are valid until the next call only, so each is copied as it comes.
  const out = pieces.flatMap((piece) => redactor.push(Buffer.from(piece)).map((view) => Buffer.from(view)))
  return Buffer.concat([...out, ...redactor.end()])
}
const redactText = (secrets: readonly string[], ...pieces: readonly string[]) =>
  redact(secrets, ...pieces.map((piece) => Buffer.from(piece))).toString()

test('replaces a secret by four stars, also where it is cut', () => {
  assert.equal(redactText(['hunter22'], 'my hunt', 'er2', '2!'), 'my ****!')
})

test('keeps back only what may still become a secret', () => {
  const redactor = redactorFor(['hunter22'])()
  const views = ['a hunt', 'ing', ' hunter2', '3'].map((piece) =>
    Buffer.concat(redactor.push(Buffer.from(piece))).toString(),
  )
  assert.deepEqual(views, ['a ', 'hunting', ' ', 'hunter23'])
})

test('covers overlapping secrets by one mask and leaves no rest of either', () => {
  assert.equal(redactText(['abcdef', 'defghi'], 'xabcdefghiy'), 'x****y')
  assert.equal(redactText(['abcd', 'abcdefgh'], 'abcdefgh abcd'), '**** ****')
})

test('does not hide short values and the words true and false', () => {
  assert.equal(redactText(['abc', 'true', 'False'], 'abc true False'), 'abc true False')
})

test('hides a secret in base64 at every alignment, in URLs and in JSON', () => {
  const secret = 'p&ss "wörd"/x'
  for (const before of ['', 'a', 'ab']) {
    const text = redactText([secret], Buffer.from(`${before}${secret}tail`).toString('base64'))
    assert.match(text, /\*\*\*\*/)
    assert.ok(text.length < 20, text)
  }
  assert.equal(redactText([secret], `?q=${encodeURIComponent(secret)}&r`), '?q=****&r')
  assert.equal(redactText([secret], JSON.stringify({ secret })), '{"secret":"****"}')
})

test('hides a secret in addresses, whichever program wrote them', () => {
  const secret = `a b/c+d'e(f)!*~g&h@i:j`
  const written = [
    'a%20b%2Fc%2Bd%27e%28f%29%21%2A~g%26h%40i%3Aj',
    'a+b%2fc%2bd%27e%28f%29%21%2a~g%26h%40i%3aj',
    'a%20b/c%2Bd%27e%28f%29%21%2A~g%26h%40i%3Aj',
    new URLSearchParams({ secret }).toString().slice('secret='.length),
    encodeURI(secret),
    new URL(`https://user:${secret.replaceAll('/', '%2F').replaceAll('@', '%40')}@host`).password,
  ]
  assert.deepEqual(
    written.map((text) => redactText([secret], `<${text}>`)),
    written.map(() => '<****>'),
  )
})

test('hides a secret as shells and pages write it', () => {
  const secret = `it's <a> "$1" & more`
  const written = [
    `'it'\\''s <a> "$1" & more'`,
    `'it'"'"'s <a> "$1" & more'`,
    `it\\'s\\ \\<a\\>\\ \\"\\$1\\"\\ \\&\\ more`,
    'it&#39;s &lt;a&gt; &quot;$1&quot; &amp; more',
  ]
  assert.deepEqual(
    written.map((text) => redactText([secret], text)),
    [`'****'`, `'****'`, '****', '****'],
  )
})

test('hides the bytes of a secret in hexadecimal digits, as programs print them', () => {
  const secret = 'a token of forty-one letters, as many are'
  const hex = Buffer.from(secret).toString('hex')
  // Of `python3 -c`, `xxd -p`, `xxd -p -u` and `od -An -t x1`.
  const plain = hex.match(/.{1,60}/g)!.join('\n')
  const apart = hex
    .match(/.{1,32}/g)!
    .map((line) => line.replace(/../g, ' $&'))
    .join('\n')
  assert.deepEqual(
    [hex, hex.toUpperCase(), plain, plain.toUpperCase(), apart].map((text) => redactText([secret], `<${text}0a>`)),
    ['<****0a>', '<****0a>', '<****\n****0a>', '<****\n****0a>', '< ****\n ****\n ****0a>'],
  )
  const long = 'x'.repeat(1000)
  assert.equal(redactText([long], `<${Buffer.from(long).toString('hex')}>`), '<****>')
  // Of a few bytes it could be anything.
  assert.equal(redactText(['hunter2'], Buffer.from('hunter2').toString('hex')), '68756e74657232')
})

test('hides what becomes a secret while a stream is open, also where nothing was one', () => {
  for (const first of [[], ['hunter22']]) {
    const redaction = openRedaction(first)
    const redactor = redaction.open()
    const out: Buffer[] = []
    const push = (text: string) => out.push(...redactor.push(Buffer.from(text)).map((piece) => Buffer.from(piece)))
    push('before, hunt')
    redaction.add('token-of-a-job')
    push('er22 token-')
    push('of-a-job behind')
    out.push(...redactor.end())
    const word = first.length === 0 ? 'hunter22' : '****'
    assert.equal(Buffer.concat(out).toString(), `before, ${word} **** behind`)
  }
})

test('hides each of five hundred secrets, wherever the stream is cut', () => {
  const secrets = Array.from({ length: 500 }, (_, i) => `${(i * 7919).toString(36)}-secret-${i}-${'xyz'.repeat(i % 7)}`)
  const text = secrets.map((secret) => `key=${secret}\n`).join('')
  for (const size of [1, 7, 64, 4096]) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))
    assert.equal(redactText(secrets, ...pieces), 'key=****\n'.repeat(500))
  }
})

test('memory stays bounded when a secret repeats without end', () => {
  const redactor = redactorFor(['aaaa'])()
  let given = 0
  for (let i = 0; i < 1000; i++)
    given += redactor.push(Buffer.alloc(1000, 'a')).reduce((sum, view) => sum + view.length, 0)
  assert.equal(given + Buffer.concat(redactor.end()).length, 4)
})

// Few letters, so that secrets overlap, repeat and contain each other; no star, or a mask could complete a secret.
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '/', '"'), minLength: 4, maxLength: 14 })
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '/', '"', 'x'), maxLength: 200 })
const someSecrets = fc.array(word, { maxLength: 6 })

test('any cut of the input gives the same output, and no form of a secret survives', () => {
  fc.assert(
    fc.property(
      someSecrets,
      fc.array(fc.oneof(text, word), { maxLength: 8 }),
      fc.array(fc.nat(400), { maxLength: 12 }),
      (secrets, parts, cuts) => {
        const forms = formsOf(secrets)
        const whole = Buffer.concat(
          parts.flatMap((part, i) => [Buffer.from(part), ...(forms.length > 0 ? [forms[i % forms.length]!] : [])]),
        )
        const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).toSorted((a, b) => a - b), whole.length]
        const pieces = at.slice(1).map((end, i) => whole.subarray(at[i], end))
        const expected = redact(secrets, whole)
        assert.deepEqual(redact(secrets, ...pieces), expected)
        for (const form of forms) assert.equal(expected.indexOf(form), -1)
      },
    ),
    { numRuns: 500 },
  )
})
