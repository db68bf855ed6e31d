import assert from 'node:assert/strict'
import { test } from 'node:test'
import { multipartFields } from './multipart.ts'

const type = 'multipart/form-data; boundary=x-1'
const part = (head: string, value: string) => `--x-1\r\n${head}\r\n\r\n${value}\r\n`

test('fields and files of a form in parts are read as text', () => {
  const body =
    part('Content-Disposition: form-data; name="revision"', 'abc') +
    part(
      'Content-Disposition: form-data; name="config"; filename="c.yml"\r\nContent-Type: text/plain',
      'grün: 1\r\n--x\n',
    ) +
    '--x-1--\r\n'
  const fields = [
    ['revision', 'abc'],
    ['config', 'grün: 1\r\n--x\n'],
  ]
  assert.deepEqual(multipartFields(Buffer.from(body), type), fields)
  assert.deepEqual(multipartFields(Buffer.from(body), type.replace('x-1', '"x-1"')), fields)
  assert.deepEqual(multipartFields(Buffer.from('--x-1--\r\n'), type), [])
})

test('a form that is cut off or has no names is refused', () => {
  const cut = Buffer.from(part('Content-Disposition: form-data; name="a"', '1'))
  for (const [body, kind] of [
    [cut, type],
    [Buffer.from(part('Content-Type: text/plain', '1') + '--x-1--'), type],
    [cut, 'multipart/form-data'],
    [Buffer.from('nothing'), type],
  ] as const)
    assert.throws(() => multipartFields(body, kind), /Cannot read the form/)
})
