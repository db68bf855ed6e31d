import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MailTerms } from '#server/app/world.ts'
import { selfSigned } from '#test/certificate.ts'
import { openSmtp } from '#test/scenarios/smtp.ts'
import { mailer } from './mailer.ts'

const mail = { id: 'm1', to: 'ada@example.com', title: 'main failed', text: 'It failed', stopAt: 'https://ci/user' }
const pair = selfSigned()
const ca = pair.cert.toString()

async function sendWith(terms: Omit<MailTerms, 'from'>) {
  const opened = mailer({ ...terms, from: 'Builds <ci@example.com>' })
  try {
    return await opened.send(mail)
  } finally {
    opened.close()
  }
}

const signedIn = (url: string) => url.replace('://', '://ci:pass%20word@')

for (const implicit of [true, false]) {
  const way = implicit ? 'TLS from the first byte' : 'STARTTLS'
  test(`mail goes through ${way} to a server that the operator vouches for, and its password through nothing else`, async () => {
    await using smtp = await openSmtp({ tls: { ...pair, implicit } })
    assert.deepEqual(await sendWith({ url: signedIn(smtp.url), ca }), { status: 250 })
    const [got] = smtp.mails
    assert.deepEqual([got?.by, got?.isSecret, got?.to], ['ci:pass word', true, ['ada@example.com']])
    assert.match(got?.text ?? '', /^Message-ID: <m1@example\.com>$/im)
    assert.ok(
      smtp.overheard.every((line) => /^(EHLO|STARTTLS)/.test(line)),
      smtp.overheard.join('\n'),
    )
  })

  test(`a server that nobody vouches for gets neither mail nor password through ${way}`, async () => {
    await using smtp = await openSmtp({ tls: { ...pair, implicit } })
    const answer = await sendWith({ url: signedIn(smtp.url) })
    assert.match('error' in answer ? answer.error : '', /self-signed certificate/)
    assert.deepEqual(smtp.mails, [])
    assert.doesNotMatch(JSON.stringify(answer), /pass/)
  })
}

test('where somebody on the way hides STARTTLS, a password is not sent; to this very machine it may go in the clear', async () => {
  await using smtp = await openSmtp()
  // An address of this machine that does not look like one.
  const answer = await sendWith({ url: `smtp://ci:secret@[::ffff:127.0.0.1]:${smtp.port}` })
  assert.match('error' in answer ? answer.error : '', /STARTTLS/i)
  assert.equal(smtp.mails.length, 0)
  assert.ok(smtp.overheard.every((line) => !line.startsWith('AUTH')))
  assert.deepEqual(await sendWith({ url: signedIn(smtp.url) }), { status: 250 })
  assert.equal(smtp.mails[0]?.by, 'ci:pass word')
})
