import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SaxesParser } from 'saxes'
import { getBuild } from '#contract/v1/builds.ts'
import { disableProject, enableProject, getSettings, listProjects, updateSettings } from '#contract/v1/projects.ts'
import { listProjectPipelines } from '#contract/v2/pipeline.ts'
import { messageOf, valueOf } from './ask.ts'
import { newPerson, newProjectToken, type Person } from './people.ts'
import { openService, type Service } from './service.ts'
import { deviations } from './shape.ts'

const config = `version: 2
jobs:
  build:
    machine: true
    steps:
      - run: {name: speak, command: "printf 'grüße\\\\n'; printf '<&\\"\\\\n' >&2"}
      - run: {name: silent, command: "mkdir -p out/a && echo page > 'out/a/b c.html'"}
      - store_artifacts: {path: out}
`
const project = { vcs: 'github', org: 'acme', repo: 'web' }

/** The attributes of the projects of a feed, read by a strict reader. */
function projectsOf(xml: string): readonly Record<string, string>[] {
  const found: Record<string, string>[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => assert.fail(error))
  parser.on('opentag', ({ name, attributes }) => void (name === 'Project' && found.push({ ...attributes })))
  parser.write(xml).close()
  return found
}

describe('what clients use beside the interface of generation 1.1', () => {
  let service: Service
  let ada: Person
  before(async () => {
    service = await openService({ agentSlots: 1 })
    ada = await newPerson(service.world, 'ada')
    await service.push('acme/web', { '.service/config.yml': config }, ['main'], ada.token)
    await service.until(async () => ((await build()).lifecycle === 'finished' ? true : undefined))
  })
  after(() => service[Symbol.asyncDispose]())

  const build = async (number = 1) => {
    const answer = await service.ask({
      method: 'GET',
      path: `/api/v1.1/project/gh/acme/web/${number}`,
      token: ada.token,
      headers: { accept: 'application/json' },
    })
    return answer.status === 200 ? (valueOf(answer) as Awaited<ReturnType<typeof whole>>) : { lifecycle: 'none' }
  }
  const whole = () => service.call(getBuild, { params: { ...project, build_num: 1 } }, ada.token)
  const get = (path: string, token?: string) => service.ask({ method: 'GET', path, token })

  test('a step tells where to read what it printed, and the link needs no token', async () => {
    const { steps } = await whole()
    const speaking = steps.find(({ name }) => name === 'speak')?.actions[0]
    assert.equal(speaking?.has_output, true)
    const { pathname, search } = new URL(speaking?.output_url ?? '')
    const { status, text, headers } = await get(pathname + search)
    assert.equal(status, 200)
    assert.match(headers['content-type'] ?? '', /^application\/json/)
    const told = JSON.parse(text) as { readonly message: string; readonly time: string; readonly type: string }[]
    assert.equal(told.map(({ message }) => message).join(''), 'grüße\n<&"\n')
    assert.deepEqual(Object.keys(told[0] ?? {}).toSorted(), ['message', 'time', 'type'])
    assert.equal(told[0]?.type, 'out')
    const silent = steps.find(({ name }) => name === 'silent')?.actions[0]
    assert.deepEqual([silent?.has_output, silent?.output_url], [false, undefined])
  })

  test('a step is read by its number too, in pieces or as text', async () => {
    const { steps } = await whole()
    const at = steps.find(({ name }) => name === 'speak')?.actions[0]
    const path = `/api/v1.1/project/gh/acme/web/1/output/${at?.step}/${at?.index}`
    const pieces = JSON.parse((await get(path, ada.token)).text) as { readonly message: string }[]
    assert.equal(pieces.map(({ message }) => message).join(''), 'grüße\n<&"\n')
    const text = await get(`${path}?file=true`, ada.token)
    assert.deepEqual([text.headers['content-type'], text.text], ['text/plain; charset=utf-8', 'grüße\n<&"\n'])
    assert.equal((await get(path)).status, 401)
    assert.equal((await get(path.replace(/\d+$/, '7'), ada.token)).status, 404)
    assert.equal((await get(path.replace(/\d+$/, 'x'), ada.token)).status, 400)
  })

  test('an artifact is opened by the address that readmes have, whoever has a token', async () => {
    const project = '/api/v1.1/project/gh/acme/web'
    for (const path of [
      `${project}/latest/artifacts/0/out/a/b%20c.html?branch=main&filter=successful`,
      `${project}/1/artifacts/0/out/a/b%20c.html?branch=other`,
      '/api/v1/project/acme/web/latest/artifacts/0/$CIRCLE_ARTIFACTS/out/a/b%20c.html?filter=None',
    ]) {
      const sent = await get(path, ada.token)
      assert.equal(sent.status, 302, sent.text)
      const { pathname, search } = new URL(sent.headers.location ?? '')
      const opened = await get(pathname + search)
      assert.deepEqual([opened.status, opened.text], [200, 'page\n'])
    }
    const missing = await get(`${project}/latest/artifacts/0/none`, ada.token)
    assert.deepEqual([missing.status, messageOf(missing).startsWith('File not found')], [404, true])
    assert.equal((await get(`${project}/latest/artifacts/0/out/a/b%20c.html?branch=quiet`, ada.token)).status, 404)
    assert.equal((await get(`${project}/latest/artifacts/x/out`, ada.token)).status, 400)
    assert.equal((await get(`${project}/1/artifacts/0/none`, ada.token)).status, 404)
    assert.equal((await get(`${project}/latest/artifacts/0/out/a/b%20c.html`)).status, 401)
  })

  test('organizations and repositories are listed, and followed by their address', async () => {
    const json = async (path: string) => {
      const headers = { accept: 'application/json' }
      return valueOf(await service.ask({ method: 'GET', path: `/api/v1.1${path}`, token: ada.token, headers }))
    }
    assert.deepEqual(await json('/organization/gh/acme?limit=5'), await json('/project/gh/acme/web?limit=5'))
    assert.deepEqual(await json('/organization/gh/acme?limit=5&offset=9000&shallow=true'), [])
    assert.equal((await get('/api/v1.1/organization/gh/other', ada.token)).status, 404)
    const [organization] = (await json('/user/organizations')) as Record<string, unknown>[]
    assert.deepEqual(
      { name: organization?.['name'], vcs_type: organization?.['vcs_type'], admin: organization?.['admin'] },
      { name: 'acme', vcs_type: 'provider-a', admin: true },
    )
    const [repository] = (await json('/user/repos/github?page=1&per-page=100')) as Record<string, unknown>[]
    assert.deepEqual(
      [repository?.['name'], repository?.['username'], repository?.['following'], repository?.['has_followers']],
      ['web', 'acme', true, true],
    )
    const owner = { login: 'string', name: 'string', external_id: 'integer', avatar_url: 'null' }
    const recorded = { owner, admin: 'boolean', fork: 'boolean', language: 'null', created_at: 'time' }
    assert.deepEqual(deviations(repository, recorded), [])
    assert.deepEqual(await json('/user/repos/github?page=2'), [])
    assert.deepEqual(await json('/user/repos/bitbucket'), [])
    assert.equal((await get('/api/v1.1/user/repos/nowhere', ada.token)).status, 404)
    assert.equal((await get('/api/v1.1/user/repos/gh?page=0', ada.token)).status, 400)
    const follow = (urls: unknown) =>
      service.ask({
        method: 'POST',
        path: '/api/v1.1/user/follow-projects',
        token: ada.token,
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({ 'vcs-urls': urls }),
      })
    assert.equal((await follow([repository?.['vcs_url']])).status, 200)
    assert.deepEqual(valueOf(await follow(['https://github.com/acme/web.git'])), [
      { vcs_url: repository?.['vcs_url'], followed: true, following: true },
    ])
    for (const [wrong, code] of [
      [['https://github.com/acme/none'], 404],
      [['nothing'], 404],
      ['web', 400],
      [[7], 400],
    ] as const)
      assert.equal((await follow(wrong)).status, code)
  })

  test('a link to an output opens nothing else, and not for ever', async () => {
    const { steps } = await whole()
    const { pathname, search } = new URL(steps.find(({ name }) => name === 'speak')?.actions[0]?.output_url ?? '')
    for (const path of [
      pathname.replace(/\d+$/, '99') + search,
      pathname + search.replace(/until=[^&]+/, 'until=2999-01-01'),
      pathname + search.slice(0, -1),
      pathname + search.replace(/signature=[^&]+/, 'signature='),
    ])
      assert.ok([400, 404].includes((await get(path)).status), path)
    service.clock.aheadMs = 4 * 24 * 3_600_000
    assert.equal((await get(pathname + search)).status, 404)
    service.clock.aheadMs = 0
  })

  test('settings are read, and changed by their feature flags', async () => {
    const settings = () => service.call(getSettings, { params: project }, ada.token)
    const [followed] = await service.call(listProjects, { query: {} }, ada.token)
    assert.ok('main' in (followed?.branches ?? {}))
    assert.deepEqual((await settings()).branches, followed?.branches)
    const put = (body: object) => service.call(updateSettings, { params: project, body }, ada.token)
    assert.deepEqual(
      [(await settings()).feature_flags['autocancel-builds'], (await settings()).oss, (await settings()).following],
      [false, false, true],
    )
    await put({ feature_flags: { 'autocancel-builds': true, oss: true, 'build-fork-prs': null, fleet: 'other' } })
    assert.deepEqual([(await settings()).feature_flags['autocancel-builds'], (await settings()).oss], [true, true])
    // What was read can be sent back as it is.
    assert.deepEqual(await put({ ...(await settings()) }), await settings())
    const wrong = await service.ask({
      method: 'PUT',
      path: '/api/v1.1/project/gh/acme/web/settings',
      token: ada.token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ feature_flags: { oss: 'no', 'autocancel-builds': false } }),
    })
    assert.equal(wrong.status, 400)
    assert.match(messageOf(wrong), /feature flag oss/)
    assert.equal((await settings()).feature_flags['autocancel-builds'], true)
    await put({ feature_flags: { 'autocancel-builds': false, oss: false } })
  })

  test('a project that is disabled is not built by pushes until it is enabled again', async () => {
    const pipelines = async () =>
      (
        await service.call(
          listProjectPipelines,
          { params: { provider: 'gh', org: 'acme', repo: 'web' }, query: {} },
          ada.token,
        )
      ).items.length
    const begun = await pipelines()
    assert.equal((await service.call(disableProject, { params: project }, ada.token)).enabled, false)
    await service.push('acme/web', { '.service/config.yml': config, more: '1' }, ['quiet'], ada.token, 'Quiet')
    assert.equal(await pipelines(), begun)
    assert.equal((await service.call(enableProject, { params: project }, ada.token)).enabled, true)
    await service.push('acme/web', { '.service/config.yml': config, more: '2' }, ['loud'], ada.token, 'Loud')
    assert.equal(await pipelines(), begun + 1)
  })

  test('a badge shows how a branch stands, also to a token that may see nothing else', async () => {
    const row = await service.world.db
      .selectFrom('projects')
      .select('id')
      .where('key', '=', 'web')
      .executeTakeFirstOrThrow()
    const status = await newProjectToken(service.world, row.id, 'status')
    for (const path of [
      `/gh/acme/web.svg?circle-token=${status}`,
      `/github/acme/web/tree/main.svg?style=shield&circle-token=${status}`,
      `/provider-a/acme/web.svg?style=svg&service-token=${ada.token}`,
    ]) {
      const { status: code, headers, text } = await get(path)
      assert.deepEqual(
        [code, headers['content-type'], headers['cache-control']],
        [200, 'image/svg+xml; charset=utf-8', 'no-cache'],
      )
      assert.match(text, /aria-label="build: passing"/)
    }
    assert.match((await get(`/gh/acme/web/tree/nowhere.svg?circle-token=${status}`)).text, /no builds/)
    assert.equal((await get('/gh/acme/web.svg')).status, 401)
    assert.equal((await get('/gh/acme/nothing.svg', ada.token)).status, 404)
    assert.equal((await get(`/api/v1.1/project/gh/acme/web/1?circle-token=${status}`)).status, 403)
    const sam = await newPerson(service.world, 'sam')
    assert.equal((await get('/gh/acme/web.svg', sam.token)).status, 404)
  })

  test('a feed tells programs that poll how projects stand', async () => {
    const [own] = projectsOf((await get(`/cc.xml?circle-token=${ada.token}`)).text)
    assert.deepEqual(
      { ...own, lastBuildTime: '', lastBuildLabel: '', activity: '' },
      {
        name: 'acme/web',
        activity: '',
        lastBuildStatus: 'Success',
        lastBuildLabel: '',
        lastBuildTime: '',
        webUrl: `${service.base}/provider-a/acme/web`,
      },
    )
    assert.ok(!Number.isNaN(Date.parse(own?.['lastBuildTime'] ?? '')))
    assert.equal(projectsOf((await get('/gh/acme/web.cc.xml', ada.token)).text).length, 1)
    assert.equal((await get('/cc.xml')).status, 401)
    assert.equal((await get('/gh/acme/web.cc.xml')).status, 401)
  })
})
