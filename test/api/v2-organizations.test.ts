import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createContext } from '#contract/v2/context.ts'
import { listProjectPipelines } from '#contract/v2/pipeline.ts'
import { listCollaborations } from '#contract/v2/user.ts'
import { createOrganization, createProject, deleteOrganization, getOrganization } from '#contract/v2/organization.ts'
import { getProjectSettings } from '#contract/v2/project-settings.ts'
import { deleteProject, getProject } from '#contract/v2/project.ts'
import { createWebhook } from '#contract/v2/webhook.ts'
import { saveArtifact } from '#contract/agent/artifact.ts'
import { repositoryOf } from '#server/app/repositories.ts'
import { databases } from '#test/world.ts'
import { addressOf, messageOf } from './ask.ts'
import { openFarm, slug } from './farm.ts'
import { openService, type Service } from './service.ts'

const slugParts = (text: string) => {
  const [provider = '', org = '', repo = ''] = text.split('/')
  return { provider, org, repo }
}

const json = { 'content-type': 'application/json' }

/** The tables in which any of these ids still stands; the record of who did what keeps its own. */
async function tablesNaming({ world }: Service, ids: readonly string[]): Promise<readonly string[]> {
  const tables = await world.db.introspection.getTables()
  const found: string[] = []
  for (const { name } of tables) {
    if (name === 'audit') continue
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(world.db)
    if (rows.some((row) => ids.some((id) => JSON.stringify(row).includes(id)))) found.push(name)
  }
  return found.toSorted()
}

for (const database of databases) {
  describe(`projects and organizations that go, on ${database}`, () => {
    test('a deleted project leaves no row, no blob and no repository, and an agent at work in it is sent away', async () => {
      await using service = await openService({ database })
      const { ada, member, project, workflow, jobs, job } = await openFarm(service)
      const signing = { 'verify-tls': true, 'signing-secret': 's', events: ['job-completed' as const] }
      const scope = { id: project.id, type: 'project' as const }
      const hook = { name: 'hook', url: 'https://example.com/', scope, ...signing }
      await service.call(createWebhook, { body: hook }, ada.token)
      const upload = addressOf(saveArtifact, { id: job.id }, { path: 'out.txt' })
      const bytes = { 'content-type': 'application/octet-stream' }
      const put = { method: 'PUT', path: upload, token: job.token, headers: bytes, body: 'x' }
      assert.equal((await service.ask(put)).status, 200)
      const ids = [project.id, workflow.id, workflow.pipeline_id, ...jobs.map(({ id }) => id)]
      assert.ok((await tablesNaming(service, ids)).length > 10)
      const folder = repositoryOf(service.world, project)
      assert.ok(existsSync(folder))

      const path = addressOf(deleteProject, slug)
      assert.equal((await service.ask({ method: 'DELETE', path, token: member.token })).status, 403)
      assert.deepEqual(await service.call(deleteProject, { params: slug }, ada.token), { message: 'Project deleted.' })
      await service.until(async () => ((await tablesNaming(service, ids)).length === 0 ? true : undefined))
      assert.equal(existsSync(folder), false)
      const artifacts = await Array.fromAsync(service.world.blobs.list('artifacts/'))
      assert.deepEqual(artifacts, [])
      assert.equal((await service.ask(put)).status, 401)
      assert.equal((await service.ask({ method: 'DELETE', path, token: ada.token })).status, 404)
      await service.push('acme/web', { 'README.md': 'again' }, ['main'], ada.token)
      const again = await service.call(getProject, { params: slug }, ada.token)
      assert.notEqual(again.id, project.id)
    })

    test('an organization is deleted by its owner alone, with its projects and contexts', async () => {
      await using service = await openService({ database })
      const { ada, member, project } = await openFarm(service)
      const owner = { id: project.organization_id, type: 'organization' as const }
      const context = await service.call(createContext, { body: { name: 'shared', owner } }, ada.token)
      const params = { organization: project.organization_id }
      const path = addressOf(deleteOrganization, params)
      assert.equal((await service.ask({ method: 'DELETE', path, token: member.token })).status, 403)
      await service.call(deleteOrganization, { params }, ada.token)
      assert.equal((await service.ask({ method: 'GET', path, token: ada.token })).status, 404)
      const ids = [project.organization_id, project.id, context.id]
      await service.until(async () => ((await tablesNaming(service, ids)).length === 0 ? true : undefined))
    })
  })
}

describe('organizations and projects of generation 2', () => {
  test('an organization is called what it was called when it was made, and found by id and by slug', async () => {
    await using service = await openService()
    const { ada, stranger } = await openFarm(service)
    const body = { name: 'TRAINS', vcs_type: 'circleci' }
    const made = await service.call(createOrganization, { body }, ada.token)
    assert.deepEqual(made, { id: made.id, name: 'TRAINS', slug: 'circleci/TRAINS', vcs_type: 'circleci' })
    const read = async (name: string, token = ada.token) => {
      const answer = await service.ask({ method: 'GET', path: `/api/v2/organization/${name}`, token })
      return answer.status === 200 ? JSON.parse(answer.text) : answer.status
    }
    for (const name of [made.id, 'circleci/TRAINS', 'service%2Ftrains', 'gh/trains'])
      assert.deepEqual(await read(name), made, name)
    assert.equal(await read(made.id, stranger.token), 404)
    assert.equal(await read('nonsense'), 404)
    const farm = await service.call(getOrganization, { params: { organization: 'gh/acme' } }, ada.token)
    assert.deepEqual([farm.slug, farm.vcs_type], ['provider-a/acme', 'provider-a'])

    const post = (asked: unknown) =>
      service.ask({
        method: 'POST',
        path: '/api/v2/organization',
        token: ada.token,
        headers: json,
        body: JSON.stringify(asked),
      })
    assert.equal((await post(body)).status, 409)
    for (const bad of [
      { name: 'x' },
      { name: '', vcs_type: 'gh' },
      { name: 'a/b', vcs_type: 'gh' },
      { name: 'x', vcs_type: 'cvs' },
    ])
      assert.equal((await post(bad)).status, 400, JSON.stringify(bad))
  })

  test('a project is made by name in an organization named in any way, and takes pushes and settings at once', async () => {
    await using service = await openService()
    const { ada, viewer, project: farm } = await openFarm(service)
    const make = (organization: string, name: unknown, token = ada.token) =>
      service.ask({
        method: 'POST',
        path: `/api/v2/organization/${organization}/project`,
        token,
        headers: json,
        body: JSON.stringify({ name }),
      })
    const params = { organization: farm.organization_id }
    const made = await service.call(createProject, { params, body: { name: 'engine' } }, ada.token)
    assert.deepEqual([made.slug, made.organization_id], ['provider-a/acme/engine', farm.organization_id])
    assert.equal((await make('gh/acme', 'tender')).status, 200)
    assert.match(messageOf(await make('gh/acme', 'engine')), /it exists$/)
    assert.equal((await make('gh/acme', 'engine')).status, 409)
    assert.equal((await make('gh/acme', '../up')).status, 400)
    assert.equal((await make('gh/acme', 7)).status, 400)
    assert.equal((await make('gh/acme', 'car', viewer.token)).status, 403)
    assert.equal((await make('gh/other', 'car')).status, 404)
    await service.push('acme/engine', { 'README.md': 'x' }, ['main'], ada.token)
    // As clients write it that know nothing but ids.
    const ids = { provider: 'circleci', org: made.organization_id, repo: made.id }
    const settings = await service.call(getProjectSettings, { params: ids }, ada.token)
    assert.equal(settings.advanced.oss, false)
    // Of an organization that was made with the code of the built-in host, answers name projects by ids, and both ways lead to them.
    const own = await service.call(createOrganization, { body: { name: 'Own', vcs_type: 'circleci' } }, ada.token)
    const alone = { params: { organization: own.id }, body: { name: 'shed' } }
    const shed = await service.call(createProject, alone, ada.token)
    const told = [`circleci/${own.id}/${shed.id}`, 'circleci/Own', 'Own']
    assert.deepEqual([shed.slug, shed.organization_slug, shed.organization_name], told)
    for (const text of [shed.slug, 'gh/own/shed', 'service/Own/shed'])
      assert.deepEqual(await service.call(getProject, { params: slugParts(text) }, ada.token), shed)
    await service.push('Own/shed', { 'README.md': 'x' }, ['main'], ada.token)
    const { items } = await service.call(listProjectPipelines, { params: slugParts(shed.slug), query: {} }, ada.token)
    assert.deepEqual(
      items.map(({ project_slug }) => project_slug),
      [shed.slug],
    )
    // The first two words of a slug name the organization, also where they are ids.
    for (const name of ['circleci/Own', `circleci/${own.id}`]) {
      const query = `org-slug=${encodeURIComponent(name)}`
      const list = await service.ask({ method: 'GET', path: `/api/v2/pipeline?${query}`, token: ada.token })
      assert.equal(JSON.parse(list.text).items.length, 1, name)
      const path = `/api/v2/context?owner-slug=${encodeURIComponent(name)}`
      assert.equal((await service.ask({ method: 'GET', path, token: ada.token })).status, 200, name)
    }
    const foreign = `/api/v2/context?owner-slug=bb/${own.id}`
    assert.equal((await service.ask({ method: 'GET', path: foreign, token: ada.token })).status, 404)
    const orgs = await service.call(listCollaborations, {}, ada.token)
    assert.deepEqual(
      orgs.filter(({ id }) => id === own.id).map((one) => [one.slug, one.avatar_url]),
      [['circleci/Own', '']],
    )
    const wrong = { provider: 'circleci', org: service.world.newId(), repo: made.id }
    const path = addressOf(getProjectSettings, wrong)
    assert.equal((await service.ask({ method: 'GET', path, token: ada.token })).status, 404)
  })
})
