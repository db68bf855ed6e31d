import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addUserSshKey, deleteUserSshKey, listUserSshKeys } from '#contract/rh/ssh-keys.ts'
import * as v1 from '#contract/v1/checkout-keys.ts'
import { getSettings } from '#contract/v1/projects.ts'
import { addSshKey, deleteSshKey } from '#contract/v1/ssh-keys.ts'
import * as v2 from '#contract/v2/checkout-key.ts'
import { keysThatOpen } from '#server/store/ssh-users.ts'
import { fingerprintsOf, newKeyPair } from '#server/vcs/keys.ts'
import { databases } from '#test/world.ts'
import { messageOf } from './ask.ts'
import { openService, type Service } from './service.ts'

const slug = { provider: 'provider-a', org: 'acme', repo: 'web' }
const named = { vcs: 'provider-a', org: 'acme', repo: 'web' }
const base = '/api/v1.1/project/provider-a/acme/web'

for (const database of databases) {
  describe(`keys on ${database}`, () => {
    let service: Service
    before(async () => {
      service = await openService({ database })
      await service.push('acme/web', { 'a.txt': 'a' })
    })
    after(() => service[Symbol.asyncDispose]())

    const accept = { accept: 'application/json' }
    const json = { ...accept, 'content-type': 'application/json' }
    const ask = (method: string, path: string, body?: unknown) =>
      service.ask({
        method,
        path,
        token: service.admin.token,
        headers: accept,
        ...(body !== undefined && { headers: json, body: JSON.stringify(body) }),
      })

    it('a checkout key made in one generation is seen in the other, by either fingerprint, encoded or raw', async () => {
      const first = await service.call(v1.createCheckoutKey, { params: named, body: { type: 'deploy-key' } })
      const made = await service.call(v2.createCheckoutKey, { params: slug, body: { type: 'user-key' } })
      assert.deepEqual([first.type, first.login, made.type], ['deploy-key', null, 'vcs-user-key'])
      assert.equal(made['public-key'], made.public_key)
      const { md5, sha256 } = fingerprintsOf(made.public_key)
      assert.equal(made.fingerprint, md5)
      for (const fingerprint of [md5, sha256, encodeURIComponent(md5), encodeURIComponent(sha256)]) {
        for (const path of [base, '/api/v2/project/provider-a/acme/web']) {
          const answer = await ask('GET', `${path}/checkout-key/${fingerprint}?digest=sha256`)
          assert.equal(answer.status, 200, `${path} ${fingerprint}: ${answer.text}`)
          assert.equal((JSON.parse(answer.text) as { fingerprint: string }).fingerprint, sha256)
        }
      }
      const listed = await service.call(v1.listCheckoutKeys, { params: named, query: {} })
      assert.deepEqual(
        listed.map(({ login, preferred }) => [login, preferred]),
        [
          [null, false],
          ['admin', true],
        ],
      )
    })

    it('the newest key left is preferred when the one in use is deleted', async () => {
      const { items } = await service.call(v2.listCheckoutKeys, { params: slug, query: {} })
      const used = items.find(({ preferred }) => preferred)?.fingerprint ?? ''
      assert.deepEqual(await service.call(v2.deleteCheckoutKey, { params: { ...slug, fingerprint: used } }), {
        message: 'ok',
      })
      const left = await service.call(v2.listCheckoutKeys, { params: slug, query: { digest: 'sha256' } })
      assert.deepEqual(
        left.items.map(({ preferred, type, fingerprint }) => [preferred, type, fingerprint.slice(0, 7)]),
        [[true, 'deploy-key', 'SHA256:']],
      )
    })

    it('a checkout key that does not exist, or of a kind that does not, is told so', async () => {
      const missing = await ask('DELETE', `${base}/checkout-key/aa:bb`)
      assert.deepEqual([missing.status, messageOf(missing)], [404, 'checkout key not found'])
      assert.equal((await ask('POST', `${base}/checkout-key`, { type: 'other' })).status, 400)
    })

    it('keys for other hosts are taken, shown without their secret half, and deleted', async () => {
      const { privateKey, publicKey } = newKeyPair()
      const input = { params: named, body: { hostname: 'example.com', private_key: privateKey } }
      assert.equal(await service.call(addSshKey, input), '')
      assert.equal(await service.call(addSshKey, { params: named, body: { private_key: privateKey } }), '')
      const rows = () => service.world.db.selectFrom('ssh_keys').selectAll().orderBy('hostname').execute()
      assert.deepEqual(
        (await rows()).map(({ hostname }) => hostname),
        ['', 'example.com'],
      )
      assert.ok(!JSON.stringify(await rows()).includes(privateKey.slice(40, 90)))
      const { md5, sha256 } = fingerprintsOf(publicKey)
      const shown = await service.call(getSettings, { params: named })
      assert.deepEqual(
        shown.ssh_keys.map(({ hostname, fingerprint }) => [hostname, fingerprint]),
        [
          [null, md5],
          ['example.com', md5],
        ],
      )
      assert.ok(!JSON.stringify(shown).includes(privateKey.slice(40, 90)))
      await service.call(deleteSshKey, { params: named, body: { hostname: 'example.com', fingerprint: sha256 } })
      assert.deepEqual(
        (await rows()).map(({ hostname }) => hostname),
        [''],
      )
    })

    it('a bad private key or host is refused and changes nothing', async () => {
      const before = await service.world.db.selectFrom('ssh_keys').selectAll().execute()
      const bad = await ask('POST', `${base}/ssh-key`, { hostname: 'example.com', private_key: 'nonsense' })
      assert.deepEqual([bad.status, messageOf(bad)], [400, 'it looks like private key is invalid key.  Double check'])
      for (const hostname of ['a b', 'x\nHost *', '*', '-oProxyCommand=x'])
        assert.equal(
          (await ask('POST', `${base}/ssh-key`, { hostname, private_key: newKeyPair().privateKey })).status,
          400,
        )
      assert.deepEqual(await service.world.db.selectFrom('ssh_keys').selectAll().execute(), before)
    })

    it('the hosting key is kept sealed under both of its addresses', async () => {
      for (const path of ['/user/hosting-key', '/api/v1.1/user/heroku-key', '/api/v1.1/user/hosting-key'])
        assert.equal((await ask('POST', path, { apikey: 'another-key' })).status, 200)
      // It is described as a parameter of a form, and shown as JSON (§4.1).
      const form = await service.ask({
        method: 'POST',
        path: '/user/hosting-key',
        token: service.admin.token,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'apikey=a-hosting-key',
      })
      assert.equal(form.status, 200, form.text)
      const [row, ...more] = await service.world.db.selectFrom('hosting_keys').selectAll().execute()
      assert.equal(more.length, 0)
      assert.equal(service.world.seal.open(row?.value ?? ''), 'a-hosting-key')
      assert.ok(!row?.value.includes('hosting'))
    })

    it('people keep public keys, each once, and nothing that is none', async () => {
      const { publicKey, privateKey } = newKeyPair('ada@laptop')
      const made = await service.call(addUserSshKey, { body: { public_key: `${publicKey}\n` } })
      assert.deepEqual([made.label, made.fingerprint], ['ada@laptop', fingerprintsOf(publicKey).sha256])
      for (const bad of [
        publicKey,
        privateKey,
        'ssh-dss AAAA',
        `${publicKey}\n${publicKey}`,
        'command="x" ' + publicKey,
      ])
        assert.ok((await ask('POST', '/api/rh/v1/me/ssh-key', { public_key: bad })).status >= 400, bad)
      assert.equal((await service.call(listUserSshKeys, {})).items.length, 1)
      await service.call(deleteUserSshKey, { params: { id: made.id } })
      assert.equal((await ask('DELETE', `/api/rh/v1/me/ssh-key/${made.id}`)).status, 404)
      assert.deepEqual(await keysThatOpen(service.world.db, { job: made.id }), [])
    })

    it('asking for the refs of a repository before the first push makes nothing', async () => {
      const path = '/git/acme/later.git/info/refs?service=git-receive-pack'
      assert.equal((await ask('GET', path)).status, 200)
      const names = await service.world.db.selectFrom('projects').select('name').execute()
      assert.deepEqual(
        names.map(({ name }) => name),
        ['web'],
      )
    })
  })
}
