import assert from 'node:assert/strict'
import { it } from 'node:test'
import { getPolling, setPolling } from '#contract/rh/polling.ts'
import { addProject } from '#contract/rh/projects.ts'
import { listProjectPipelines } from '#contract/v2/pipeline.ts'
import { databases } from '#test/world.ts'
import { messageOf } from './ask.ts'
import { openService } from './service.ts'

const slug = { provider: 'provider-a', org: 'acme', repo: 'copy' }
const config = {
  '.service/config.yml': 'version: 2\njobs: { build: { machine: true, steps: [checkout] } }\n',
}

for (const database of databases) {
  it(`a repository that lives elsewhere is looked at, and what moved is built once, on ${database}`, async () => {
    await using service = await openService({ database, terms: { repositoryHosts: ['127.0.0.1'] } })
    await service.push('acme/web', config)
    await service.world.db.updateTable('projects').set({ public: 1 }).execute()
    const url = service.remote('acme/web', '')
    await service.call(addProject, { body: { url, organization: 'acme', name: 'copy' } })
    assert.equal((await service.call(getPolling, { params: slug })).every_seconds, 60)
    const pipelines = async () => (await service.call(listProjectPipelines, { params: slug, query: {} })).items
    const lookNow = async () => {
      const { next_at } = await service.call(setPolling, { params: slug, body: { every_seconds: 3600 } })
      await service.until(
        async () => (await service.call(getPolling, { params: slug })).next_at !== next_at || undefined,
      )
      await service.until(async () => {
        const row = await service.world.db.selectFrom('polls').selectAll().executeTakeFirst()
        const inMs = Date.parse(row?.next_at ?? '') - Date.now()
        return inMs > 3_000_000 || undefined
      })
    }

    await lookNow()
    assert.deepEqual(await pipelines(), [])
    await service.push('acme/web', config, ['side', 'tags/v1'])
    await lookNow()
    await lookNow()
    const found = (await pipelines()).map(({ vcs }) => vcs?.branch ?? vcs?.tag)
    assert.deepEqual(found.toSorted(), ['side', 'v1'])
    await service.call(setPolling, { params: slug, body: { every_seconds: 0 } })
    assert.deepEqual(await service.call(getPolling, { params: slug }), { every_seconds: 0, next_at: null })
  })
}

it('a repository inside our own network is fetched only where the operator allows it', async () => {
  await using service = await openService()
  const url = service.remote('acme/web', '')
  await service.call(addProject, { body: { url, organization: 'acme', name: 'copy' } })
  const answer = await service.ask({
    method: 'POST',
    path: '/api/v2/project/provider-a/acme/copy/pipeline',
    token: service.admin.token,
  })
  assert.equal(answer.status, 400)
  assert.match(messageOf(answer), /inside of our own network/)
})
