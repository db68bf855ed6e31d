import assert from 'node:assert/strict'
import type { Provider } from '#core/names.ts'
import { keepToken } from '#server/app/provider-tokens.ts'
import type { Terms } from '#server/app/world.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import { publicProviders } from '#server/vcs/providers/terms.ts'
import { givenProject } from '#test/given.ts'
import { type Database, smallWorld } from '#test/world.ts'
import { openFake } from './fake-api.ts'
import { client } from './fake-sign-in.ts'

/** A small world whose project acme/web lives at a provider that answers as told. */
export async function openConnected(database: Database, differently: Partial<Terms> = {}) {
  const fake = await openFake('github')
  const providers = { ...publicProviders, 'provider-a': { ...fake.terms, client } }
  const it = await smallWorld(database, { providers, ...differently })
  const { id } = await givenProject(it)
  const url = `${fake.url}/acme/web.git`
  await it.world.db
    .transaction()
    .execute((tx) => tx.updateTable('projects').set({ url }).where('id', '=', id).execute())
  const project = await projectById(it.world.db, { id })
  assert.ok(project)
  return {
    it,
    fake,
    project: project as ProjectRow,
    /** Somebody has signed in at the provider, and gave us a token. */
    signIn: (user: string, access: string, more: { refresh?: string; expiresInMs?: number } = {}) =>
      it.world.db
        .transaction()
        .execute((tx) => keepToken(it.world, tx, user, 'provider-a' satisfies Provider, { access, ...more })),
    lines: () => fake.asked.map(({ line, authorization }) => `${authorization?.replace('Bearer ', '')} ${line}`),
    async [Symbol.asyncDispose]() {
      await it[Symbol.asyncDispose]()
      await fake[Symbol.asyncDispose]()
    },
  }
}
