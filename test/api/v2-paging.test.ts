import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createContext } from '#contract/v2/context.ts'
import { createSchedule } from '#contract/v2/schedule.ts'
import { databases } from '#test/world.ts'
import { openFarm, slug } from './farm.ts'
import { openService } from './service.ts'

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[]
  readonly next_page_token: string | null
}

for (const database of databases) {
  describe(`pages on ${database}`, () => {
    test('no list tells a thing twice or leaves one out while others are added', async () => {
      await using service = await openService({ database })
      const { ada, project, workflow, job } = await openFarm(service)
      await service.rest()
      const { db } = service.world
      const owner = { id: project.organization_id, type: 'organization' as const }
      const timetable = { 'per-hour': 1, 'hours-of-day': [2], 'days-of-week': ['MON' as const] }
      const nightly = { timetable, 'attribution-actor': 'system' as const, parameters: { branch: 'main' } }
      const pipeline = await db
        .selectFrom('pipelines')
        .selectAll()
        .where('id', '=', workflow.pipeline_id)
        .executeTakeFirstOrThrow()
      const row = await db.selectFrom('workflows').selectAll().where('id', '=', workflow.id).executeTakeFirstOrThrow()
      let count = 0
      const addPipeline = async () => {
        const number = Number(
          (
            await db
              .updateTable('projects')
              .set((eb) => ({ last_pipeline: eb('last_pipeline', '+', 1) }))
              .where('id', '=', project.id)
              .returning('last_pipeline')
              .executeTakeFirstOrThrow()
          ).last_pipeline,
        )
        await db
          .insertInto('pipelines')
          .values({ ...pipeline, id: service.world.newId(), number, state: 'created' })
          .execute()
      }
      const addArtifact = () =>
        db
          .insertInto('artifacts')
          .values({
            id: service.world.newId(),
            job_id: job.id,
            node: 0,
            path: `f${++count}`,
            size: 1,
            created_at: '1',
            expires_at: '9',
          })
          .execute()
      const lists: Readonly<
        Record<
          string,
          {
            readonly path: string
            readonly key: string
            readonly add: () => Promise<unknown>
            readonly newest: boolean
          }
        >
      > = {
        contexts: {
          path: `/api/v2/context?owner-id=${project.organization_id}`,
          key: 'id',
          newest: false,
          add: () => service.call(createContext, { body: { name: `context ${++count}`, owner } }, ada.token),
        },
        schedules: {
          path: '/api/v2/project/gh/acme/web/schedule',
          key: 'id',
          newest: false,
          add: () => service.call(createSchedule, { params: slug, body: { name: 'nightly', ...nightly } }, ada.token),
        },
        'pipelines of a project': {
          path: '/api/v2/project/gh/acme/web/pipeline',
          key: 'id',
          newest: true,
          add: addPipeline,
        },
        'pipelines of a branch': {
          path: '/api/v2/project/gh/acme/web/pipeline?branch=main',
          key: 'id',
          newest: true,
          add: addPipeline,
        },
        'my pipelines': {
          path: '/api/v2/project/gh/acme/web/pipeline/mine',
          key: 'id',
          newest: true,
          add: addPipeline,
        },
        'pipelines of an organization': {
          path: '/api/v2/pipeline?org-slug=gh/acme',
          key: 'id',
          newest: true,
          add: addPipeline,
        },
        'workflows of a pipeline': {
          path: `/api/v2/pipeline/${workflow.pipeline_id}/workflow`,
          key: 'id',
          newest: true,
          add: () =>
            db
              .insertInto('workflows')
              .values({ ...row, id: service.world.newId() })
              .execute(),
        },
        artifacts: {
          path: `/api/v2/project/gh/acme/web/${job.number}/artifacts`,
          key: 'path',
          newest: false,
          add: addArtifact,
        },
      }
      for (const [name, { path, key, add, newest }] of Object.entries(lists)) {
        const read = async (token: string | null): Promise<Page> => {
          const query = token === null ? '' : `${path.includes('?') ? '&' : '?'}page-token=${token}`
          const answer = await service.ask({ method: 'GET', path: path + query, token: ada.token })
          assert.equal(answer.status, 200, `${name}: ${answer.text}`)
          return JSON.parse(answer.text) as Page
        }
        const everything = async (between: () => Promise<unknown>) => {
          const [seen, sizes]: [unknown[], number[]] = [[], []]
          let page = await read(null)
          for (;;) {
            seen.push(...page.items.map((item) => item[key]))
            sizes.push(page.items.length)
            assert.ok(page.next_page_token === null || typeof page.next_page_token === 'string', name)
            if (page.next_page_token === null) return { seen, sizes }
            await between()
            page = await read(page.next_page_token)
          }
        }
        while ((await everything(async () => {})).seen.length < 45) for (let i = 0; i < 44; i++) await add()
        const before = (await everything(async () => {})).seen
        const { seen, sizes } = await everything(add)
        assert.equal(new Set(seen).size, seen.length, `${name} tells something twice`)
        assert.deepEqual(newest ? seen : seen.slice(0, before.length), before, `${name} leaves something out`)
        assert.ok(sizes[0] === 20 || name === 'artifacts', `${name} has pages of ${sizes[0]}`)
      }
    })
  })
}

test('a token of no page, of another list, of another person or of an odd shape is refused by every list', async () => {
  await using service = await openService()
  const { ada, member, project, workflow, job } = await openFarm(service)
  const owner = { id: project.organization_id, type: 'organization' as const }
  for (let i = 0; i < 21; i++) await service.call(createContext, { body: { name: `context ${i}`, owner } }, ada.token)
  const contexts = `/api/v2/context?owner-id=${project.organization_id}`
  const first = await service.ask({ method: 'GET', path: contexts, token: ada.token })
  const good = (JSON.parse(first.text) as Page).next_page_token ?? ''
  const ask = async (path: string, page: string, token = ada.token) => {
    const answer = await service.ask({
      method: 'GET',
      path: `${path}${path.includes('?') ? '&' : '?'}page-token=${page}`,
      token,
    })
    return answer.status
  }
  assert.equal(await ask(contexts, good), 200)
  const lists = [
    contexts,
    `/api/v2/webhook?scope-id=${project.id}&scope-type=project`,
    '/api/v2/pipeline?org-slug=gh/acme',
    `/api/v2/pipeline/${workflow.pipeline_id}/workflow`,
    '/api/v2/project/gh/acme/web/pipeline',
    '/api/v2/project/gh/acme/web/pipeline/mine',
    '/api/v2/project/gh/acme/web/schedule',
    '/api/v2/project/gh/acme/web/envvar',
    '/api/v2/project/gh/acme/web/checkout-key',
    `/api/v2/project/gh/acme/web/${job.number}/artifacts`,
    `/api/v2/project/gh/acme/web/${job.number}/tests`,
    `/api/v2/workflow/${workflow.id}/job`,
  ]
  const garbled = ['nonsense', good.slice(0, -2), `${good}AA`, 'a'.repeat(5000)]
  for (const path of lists) {
    for (const page of garbled) assert.equal(await ask(path, page), 404, `${path} ${page.slice(0, 40)}`)
    if (path !== contexts) assert.equal(await ask(path, good), 404, `${path} takes a token of another list`)
    assert.equal(await ask(path, ''), 200, `${path} with an empty token`)
  }
  assert.equal(await ask(contexts, good, member.token), 200, 'whoever may read the list may go on with it')
})
