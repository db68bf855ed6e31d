import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { storeTests } from '#contract/agent/tests.ts'
import { search, type SearchHit } from '#contract/rh/search.ts'
import { followProject } from '#contract/v1/projects.ts'
import { databases } from '#test/world.ts'
import { config, type Farm, named, openFarm } from './farm.ts'
import { newPerson } from './people.ts'
import { openService, type Service } from './service.ts'

for (const database of databases) {
  describe(`search on ${database}`, () => {
    let service: Service
    let farm: Farm
    before(async () => {
      service = await openService({ database })
      farm = await openFarm(service)
      await service.push('acme/web', { '.service/config.yml': config }, ['fix/50%_off', 'fix/login'], farm.ada.token)
      for (const { token } of [farm.ada, farm.viewer]) await service.call(followProject, { params: named }, token)
    })
    after(() => service[Symbol.asyncDispose]())

    const find = async (q: string, token = farm.ada.token, kind?: SearchHit['kind']) =>
      (await service.call(search, { query: { q, ...(kind && { kind }) } }, token)).items
    const shown = (hits: readonly SearchHit[]) => hits.map(({ kind, name }) => `${kind} ${name}`)

    test('finds projects by any part of their names, whatever the case', async () => {
      assert.deepEqual(shown(await find('CME/w')), ['project web'])
      assert.deepEqual(shown(await find('web acme', undefined, 'project')), ['project web'])
      assert.deepEqual(await find('nothing of the kind'), [])
    })

    test('finds branches, and takes what looks like a pattern as text', async () => {
      assert.deepEqual(shown(await find('fix/', undefined, 'branch')), ['branch fix/50%_off', 'branch fix/login'])
      assert.deepEqual(shown(await find('%_', undefined, 'branch')), ['branch fix/50%_off'])
      assert.deepEqual(shown(await find('web login', undefined, 'branch')), ['branch fix/login'])
    })

    test('finds pipelines by number, branch, subject and commit', async () => {
      const [hit] = await find('#1', undefined, 'pipeline')
      assert.deepEqual(hit && [hit.pipeline_number, hit.branch, hit.name], [1, 'main', 'Begin'])
      assert.ok((await find(farm.revision.slice(0, 9), undefined, 'pipeline')).length > 0)
      assert.ok((await find('begin main', undefined, 'pipeline')).length > 0)
    })

    test('finds tests of the newest pipelines', async () => {
      const tests = [
        {
          name: 'adds up',
          classname: 'Sum',
          file: 'sum.test.ts',
          source: '',
          result: 'success' as const,
          message: '',
          run_time: 1,
        },
      ]
      const body = { batch: 0, tests, bytes: 10, problems: [] }
      await service.call(storeTests, { params: { id: farm.job.id, index: 0 }, body }, farm.job.token)
      const [hit] = await find('ADDS sum', undefined, 'test')
      assert.deepEqual(hit && [hit.name, hit.job_id], ['Sum adds up', farm.job.id])
    })

    test('shows nobody what they may not see', async () => {
      for (const token of [farm.stranger.token, (await newPerson(service.world, 'nobody')).token])
        assert.deepEqual(
          (await find('main', token)).filter(({ project_slug }) => project_slug.endsWith('acme/web')),
          [],
        )
      assert.deepEqual(shown(await find('web', farm.viewer.token, 'project')), ['project web'])
    })

    test('goes on page after page without leaving anything out or showing it twice', async () => {
      const refs = Array.from({ length: 45 }, (_, i) => `many/${String(i).padStart(2, '0')}`)
      await service.push('acme/web', { '.service/config.yml': config }, refs, farm.ada.token)
      const names: string[] = []
      let token: string | null = ''
      for (let page = 0; token !== null && page < 5; page++) {
        const query: { q: string; kind: 'branch'; 'page-token': string } = {
          q: 'many/',
          kind: 'branch',
          'page-token': token,
        }
        const answer = await service.call(search, { query }, farm.ada.token)
        names.push(...answer.items.map(({ name }) => name))
        token = answer.next_page_token
      }
      assert.deepEqual(names, refs)
    })
  })
}
