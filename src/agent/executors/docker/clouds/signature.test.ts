import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedHeaders } from './signature.ts'

// Requests and signatures of the test suite that Amazon published for Signature Version 4, by their names there.
const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const sessionToken =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=='
const post = { method: 'POST', url: new URL('https://example.amazonaws.com/'), headers: {}, body: '' }
const form = { ...post, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'Param1=value1' }
const trimmed = { ...post, method: 'GET', headers: { 'my-header1': ' value1', 'my-header2': ' "a   b   c"' } }

for (const [name, request, more, names, signature] of [
  [
    'get-vanilla',
    { ...post, method: 'GET' },
    {},
    '',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  ['post-vanilla', post, {}, '', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  ['post-x-www-form-urlencoded', form, {}, 'form', 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a'],
  ['get-header-value-trim', trimmed, {}, 'trim', 'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736'],
  [
    'post-sts-header-before',
    post,
    { sessionToken },
    'sts',
    '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  ],
] as const)
  test(`Amazon's own example ${name} has the signature that they say`, () => {
    const signed = {
      '': 'host;x-amz-date',
      form: 'content-type;host;x-amz-date',
      trim: 'host;my-header1;my-header2;x-amz-date',
      sts: 'host;x-amz-date;x-amz-security-token',
    }[names]
    const at = new Date('2015-08-30T12:36:00Z')
    const { authorization, 'x-amz-date': date } = signedHeaders(
      request,
      { region: 'us-east-1', service: 'service' },
      { ...keys, ...more },
      at,
    )
    assert.deepEqual(
      [date, authorization],
      [
        '20150830T123600Z',
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
          `SignedHeaders=${signed}, Signature=${signature}`,
      ],
    )
  })
