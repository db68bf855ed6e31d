import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fetchElsewhere } from '#server/app/mirrors.ts'
import type { Resolve } from '#server/app/guard.ts'
import { orbAddresses } from '#server/app/orb-addresses.ts'
import { poster } from '#server/work/post.ts'
import { openDns } from '#test/dns-server.ts'
import { givenProject } from '#test/given.ts'
import { sources } from '#test/sources.ts'
import { smallWorld } from '#test/world.ts'
import { openReceiver } from './receiver.ts'

/** A door through which the server goes to an address that a user named; says why it did not get there. */
type Door = (url: string, allowed: readonly string[], resolve: Resolve) => Promise<string>

const doors: Readonly<Record<string, Door>> = {
  /** Of webhooks, `notify.webhooks` and chats alike. */
  async 'what is posted'(url, allowed, resolve) {
    const http = poster(allowed, 1, resolve)
    const answer = await http.send({ url, verifyTls: true, headers: {}, body: '{}' })
    await http.close()
    return 'error' in answer ? answer.error : ''
  },
  async 'an orb'(url, hosts, resolve) {
    const warnings: string[] = []
    const warn = (_: string, { error }: Readonly<Record<string, unknown>>) => void warnings.push(String(error))
    await orbAddresses({ prefixes: [url], hosts, warn, now: () => 0, resolve }).learn([url])
    return warnings.join()
  },
  async 'a repository'(url, repositoryHosts, resolve) {
    await using it = await smallWorld('sqlite', { repositoryHosts })
    const project = { ...(await givenProject(it)), url }
    try {
      await fetchElsewhere({ ...it.world, resolve }, project, new AbortController().signal)
      return ''
    } catch (error) {
      return (error as Error).message
    }
  },
}

for (const [what, goThrough] of Object.entries(doors)) {
  describe(`the door of ${what}`, () => {
    test('leads to no name that leads inside, by one of its addresses or by all of them', async () => {
      await using receiver = await openReceiver(() => 200)
      const [, port] = receiver.host.split(':')
      await using dns = await openDns({
        'inside.example.com': () => ['127.0.0.1'],
        'mixed.example.com': () => ['93.184.216.34', '127.0.0.1'],
        'mapped.example.com': () => ['::ffff:127.0.0.1'],
      })
      for (const name of ['inside', 'mixed', 'mapped']) {
        const why = await goThrough(`https://${name}.example.com:${port}/x.git`, [], dns.resolve)
        assert.match(why, /our own network/, name)
        assert.ok(dns.asked.includes(`${name}.example.com`), name)
      }
      assert.equal(receiver.received.length, 0)
    })

    test('leads where its one look-up led, and nobody looks again', async () => {
      await using receiver = await openReceiver(() => 404)
      const [, port] = receiver.host.split(':')
      // A second look-up would lead to where nobody listens, and that of the system nowhere.
      await using dns = await openDns({
        'allowed.example.com': (count) => (count === 1 ? ['127.0.0.1'] : ['127.0.0.2']),
      })
      await goThrough(`http://allowed.example.com:${port}/x.git`, [`allowed.example.com:${port}`], dns.resolve)
      assert.ok(receiver.received.length > 0)
      assert.ok(receiver.received.every(({ headers }) => headers.host === `allowed.example.com:${port}`))
      // Both families of the one look-up.
      assert.equal(dns.asked.length, 2)
    })
  })
}

/** What opens connections, wherever it stands. */
const opens =
  /\bfetch\([^)]|\bimport\('(?:undici|nodemailer|openid-client)'\)|node:(?:https?|http2|net|tls|dgram)\b|\b(?:fetchMirror|fetchRevision|fetchPullHead|callFor)\(/

/** Types and names of addresses open nothing. */
const harmless = /^import (?:type .*|\{ isIP \} .*)$/gm

/** Every file of the server that opens connections, and who says where they lead. */
const known: Readonly<Record<string, string>> = {
  'app/fetch-text.ts': 'a user, through the guard',
  'work/post.ts': 'a user, through the guard',
  'app/mirrors.ts': 'a user, through the guard, which gives git its one address',
  'vcs/mirror.ts': 'whoever calls it',
  'vcs/pull-head.ts': 'whoever calls it',
  'app/orb-repository.ts': 'the operator',
  'app/openid.ts': 'the operator',
  'vcs/providers/call.ts': 'the operator',
  'vcs/providers/oauth.ts': 'the operator',
  'work/mailer.ts': 'the operator',
  'work/traces.ts': 'the operator',
}

test('the server has no other door: whatever opens a connection is known, with who says where it leads', () => {
  const found = sources('src/server/**/*.ts')
    .filter(({ path }) => !/\.test\.ts$|\/lab\.ts$/.test(path))
    .filter(({ text }) => opens.test(text.replaceAll(harmless, '')))
    .map(({ path }) => path.replace('src/server/', ''))
  assert.deepEqual(found, Object.keys(known).toSorted())
})
