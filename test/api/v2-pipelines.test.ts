import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  getPipeline,
  getPipelineByNumber,
  getPipelineConfig,
  listMyPipelines,
  listPipelines,
  listProjectPipelines,
  triggerPipeline,
} from '#contract/v2/pipeline.ts'
import { getProject } from '#contract/v2/project.ts'
import { listCollaborations } from '#contract/v2/user.ts'
import { messageOf, valueOf } from './ask.ts'
import { config, type Farm, openFarm, slug } from './farm.ts'
import { openService, type Service } from './service.ts'

const path = '/api/v2/project/gh/acme/web'

describe('pipelines of generation 2', () => {
  let service: Service
  let farm: Farm
  before(async () => {
    service = await openService()
    farm = await openFarm(service)
    await service.push('acme/web', { '.service/config.yml': config }, ['side', 'a/b', 'tags/v1.0'], farm.ada.token)
  })
  after(() => service[Symbol.asyncDispose]())

  const trigger = (body: object) => service.call(triggerPipeline, { params: slug, body }, farm.ada.token)
  const page = (token?: string, others: object = {}) =>
    service.call(
      listProjectPipelines,
      { params: slug, query: { ...(token !== undefined && { 'page-token': token }), ...others } },
      farm.ada.token,
    )

  async function refused(body: object): Promise<string> {
    const headers = { 'content-type': 'application/json' }
    const answer = await service.ask({
      method: 'POST',
      path: `${path}/pipeline`,
      token: farm.ada.token,
      headers,
      body: JSON.stringify(body),
    })
    return `${answer.status} ${messageOf(answer)}`
  }

  test('belong to a project that may be named in many ways', async () => {
    const project = await service.call(getProject, { params: slug }, farm.ada.token)
    assert.equal(project.slug, 'provider-a/acme/web')
    const ways = [
      'gh/acme/web',
      'github/acme/web',
      'provider-a/acme/web',
      'GH/ACME/WEB',
      'gh%2Facme%2Fweb',
      'gh%2facme%2fweb',
      'gh/acme%2Fweb',
      'gh%2Facme/web',
      project.id,
      project.id.toUpperCase(),
      'gh/acme/web/',
    ]
    for (const way of ways) {
      const found = await service.ask({ method: 'GET', path: `/api/v2/project/${way}`, token: farm.ada.token })
      assert.deepEqual(valueOf(found), project, way)
    }
    for (const below of ['gh%2Facme%2Fweb', 'gh/acme%2Fweb', project.id]) {
      const found = await service.ask({
        method: 'GET',
        path: `/api/v2/project/${below}/pipeline/1`,
        token: farm.ada.token,
      })
      assert.equal(found.status, 200, below)
    }
    for (const wrong of [
      'bb/acme/web',
      'gh/acme',
      'gh/acme/none',
      'gh/none/web',
      farm.workflow.id,
      'gh%2Facme%2Fweb%2Fmore',
    ]) {
      assert.equal(
        (await service.ask({ method: 'GET', path: `/api/v2/project/${wrong}`, token: farm.ada.token })).status,
        404,
        wrong,
      )
    }
  })

  test('are triggered on a branch, on a tag, or on the default branch where nothing is said', async () => {
    for (const [body, vcs] of [
      [{ branch: 'side' }, { branch: 'side' }],
      [{ branch: 'a/b' }, { branch: 'a/b' }],
      [{ tag: 'v1.0' }, { tag: 'v1.0' }],
      [{}, { branch: 'main' }],
    ] as const) {
      const made = await trigger(body)
      assert.equal(made.state, 'pending')
      const {
        trigger: by,
        vcs: found,
        number,
      } = await service.call(getPipeline, { params: { pipeline_id: made.id } }, farm.ada.token)
      assert.deepEqual([by.type, by.actor.login, number], ['api', 'ada', made.number])
      assert.deepEqual(
        {
          ...(found?.branch !== undefined && { branch: found.branch }),
          ...(found?.tag !== undefined && { tag: found.tag }),
        },
        vcs,
      )
    }
  })

  test('are refused where the target contradicts itself or does not exist', async () => {
    assert.match(await refused({ branch: 'main', tag: 'v1.0' }), /^400 .*exclude each other/)
    assert.equal(await refused({ branch: 'none' }), '400 Branch not found')
    assert.equal(await refused({ tag: 'none' }), '400 Tag not found')
    for (const branch of ['--upload-pack=x', '../main', 'main\n', 'refs/heads/..', 'main..side', '@{-1}'])
      assert.match(await refused({ branch }), /^400 /, branch)
  })

  test('that are given a parameter nobody declared say so in their errors', async () => {
    const { id } = await trigger({ parameters: { unknown: 'x' } })
    const { state, errors } = await service.until(async () => {
      const found = await service.call(getPipeline, { params: { pipeline_id: id } }, farm.ada.token)
      return found.state.endsWith('pending') ? undefined : found
    })
    assert.equal(state, 'errored')
    assert.deepEqual(
      errors.map(({ type }) => type),
      ['config'],
    )
    assert.match(errors[0]?.message ?? '', /Unexpected argument\(s\): unknown/)
  })

  test('show their configuration as written and as compiled', async () => {
    const { source, compiled } = await service.call(
      getPipelineConfig,
      { params: { pipeline_id: farm.workflow.pipeline_id } },
      farm.ada.token,
    )
    assert.equal(source, config)
    assert.match(compiled, /^version: 2\n/m)
  })

  test('are found by number, whole numbers in every answer', async () => {
    const found = await service.call(getPipelineByNumber, { params: { ...slug, pipeline_number: 1 } }, farm.ada.token)
    assert.deepEqual([found.id, found.number], [farm.workflow.pipeline_id, 1])
    assert.equal(
      (await service.ask({ method: 'GET', path: `${path}/pipeline/99999`, token: farm.ada.token })).status,
      404,
    )
  })

  test('come in pages that neither repeat nor miss any while others are made', async () => {
    for (let count = 0; count < 45; count += 1) await trigger({})
    const known = new Set<number>()
    const newest = (await page()).items[0]?.number ?? 0
    let token: string | undefined
    const sizes: number[] = []
    do {
      const { items, next_page_token } = await page(token)
      sizes.push(items.length)
      for (const { number } of items) {
        assert.ok(!known.has(number), `pipeline ${number} is shown once`)
        known.add(number)
      }
      await trigger({ branch: 'side' })
      token = next_page_token ?? undefined
    } while (token !== undefined)
    assert.deepEqual(
      [...known].toSorted((a, b) => b - a),
      Array.from({ length: newest }, (_, index) => newest - index),
    )
    assert.ok(sizes.slice(0, -1).every((size) => size === 20))
  })

  test('are not shown for a page token that is empty, bad, or of another list', async () => {
    const { next_page_token: token } = await page()
    assert.ok(token !== null)
    assert.equal((await page('')).items.length, 20)
    const bad = ['x', `${token}AAAA`, token.slice(1), `A${token.slice(1)}`, 'null', encodeURIComponent("' or 1=1")]
    const elsewhere = [
      `${path}/pipeline?branch=side&page-token=${token}`,
      `${path}/pipeline/mine?page-token=${token}`,
      `/api/v2/pipeline?page-token=${token}`,
    ]
    for (const wrong of [...bad.map((one) => `${path}/pipeline?page-token=${one}`), ...elsewhere]) {
      const answer = await service.ask({ method: 'GET', path: wrong, token: farm.ada.token })
      assert.deepEqual([answer.status, answer.text], [404, '{"message":"Not Found"}'], wrong)
    }
  })

  test('are listed by branch, by who triggered them, and by organization', async () => {
    const { items } = await page(undefined, { branch: 'a/b' })
    assert.deepEqual([...new Set(items.map(({ vcs }) => vcs?.branch))], ['a/b'])
    const mine = (token: string) => service.call(listMyPipelines, { params: slug, query: {} }, token)
    assert.equal((await mine(farm.member.token)).items.length, 0)
    assert.equal((await mine(farm.ada.token)).items.length, 20)
    const across = (query: object, token: string) => service.call(listPipelines, { query }, token)
    assert.equal((await across({}, farm.stranger.token)).items[0]?.project_slug, 'provider-a/other/thing')
    assert.equal((await across({ 'org-slug': 'gh/acme' }, farm.member.token)).items.length, 20)
    assert.equal((await across({ mine: true }, farm.member.token)).items.length, 0)
    const hidden = await service.ask({
      method: 'GET',
      path: '/api/v2/pipeline?org-slug=gh%2Facme',
      token: farm.stranger.token,
    })
    assert.equal(hidden.status, 404)
    const organizations = await service.call(listCollaborations, {}, farm.ada.token)
    assert.deepEqual(
      organizations.map((one) => [one.slug, one['vcs-type'], one.vcs_type]),
      [['provider-a/acme', 'provider-a', 'provider-a']],
    )
  })
})
