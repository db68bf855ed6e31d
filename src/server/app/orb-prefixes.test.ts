import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { compile } from '#config/compile.ts'
import { insertOrbPrefix } from '#server/store/orb-prefixes.ts'
import { ada, givenProject } from '#test/given.ts'
import { databases, smallWorld } from '#test/world.ts'
import { createOrganization } from './memberships.ts'
import { orbAddresses } from './orb-addresses.ts'
import { addOrbPrefix, listOrbPrefixes, orbsFor, removeOrbPrefix } from './orb-prefixes.ts'
import { orbSources, withSources } from './orb-sources.ts'

for (const database of databases) {
  describe(`addresses of orbs that an organization allows, on ${database}`, () => {
    test('are fetched for its own configurations and for nobody else, and not once they are taken back', async () => {
      await using it = await smallWorld(database)
      const asked: string[] = []
      const server = createServer((request, response) => {
        asked.push(request.url ?? '')
        response.end('version: 2.1\ncommands: {say: {steps: [{run: echo hello}]}}\n')
      })
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
      await using _closing = {
        [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(() => closed())),
      }
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
      const terms = { prefixes: [], hosts: [host], warn: () => {}, now: () => 0 }
      const shelf = { versionsOf: () => [], textOf: () => undefined }
      const world = { ...it.world, orbs: orbSources(shelf, orbAddresses(terms)) }
      const source = `version: 2.1\norbs: {t: "http://${host}/orbs/t.yml"}\njobs: {build: {machine: true, steps: [t/say]}}\n`
      const compiled = async (organization: string) => {
        const { result } = await withSources(orbsFor(world, organization), (orbs) =>
          compile(source, { parameters: {}, values: {}, orbs }),
        )
        return result.ok ? 'compiled' : result.problems[0]?.message
      }
      const { organization_id: own } = await givenProject(it)
      const { id: other } = await createOrganization(world, await ada(it), 'other')
      assert.match((await compiled(own)) ?? '', /nor in the allow list of the organization/)
      const row = { id: world.newId(), organization_id: own, name: 'x', auth: 'none', created_at: world.now() }
      await world.db.transaction().execute((tx) => insertOrbPrefix(tx, { ...row, prefix: `http://${host}/orbs/` }))
      assert.equal(await compiled(own), 'compiled')
      assert.match((await compiled(other)) ?? '', /nor in the allow list of the organization/)
      assert.deepEqual(asked, ['/orbs/t.yml'])
      const organization = { id: own } as Parameters<typeof removeOrbPrefix>[1]
      await removeOrbPrefix(world, organization, row.id)
      assert.match((await compiled(own)) ?? '', /nor in the allow list of the organization/)
      await assert.rejects(removeOrbPrefix(world, organization, row.id), /not found/)
    })

    test('are https, without a password, one of each, and fetched without credentials', async () => {
      await using it = await smallWorld(database)
      const organization = await createOrganization(it.world, await ada(it), 'acme')
      const add = (prefix: string, auth = 'none') => addOrbPrefix(it.world, organization, { name: 'x', prefix, auth })
      await add('https://orbs.example.com/a/')
      await assert.rejects(add('https://orbs.example.com/a/'), /allowed already/)
      for (const prefix of ['http://orbs.example.com/', 'https://me:secret@orbs.example.com/', 'file:///etc/', 'x'])
        await assert.rejects(add(prefix), /must begin with https/)
      await assert.rejects(add('https://orbs.example.com/b/', 'github-oauth'), /auth must be none/)
      const kept = await listOrbPrefixes(it.world, organization)
      assert.deepEqual(
        kept.map(({ prefix }) => prefix),
        ['https://orbs.example.com/a/'],
      )
    })
  })
}
