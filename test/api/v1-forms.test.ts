import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { valueOf } from './ask.ts'
import { config, type Farm, openFarm } from './farm.ts'
import { readEdn } from './read-edn.ts'
import { openService, type Service } from './service.ts'

const project = '/api/v1.1/project/gh/acme/web'

describe('generation 1.1', () => {
  let service: Service
  let farm: Farm
  before(async () => {
    service = await openService()
    farm = await openFarm(service)
    await service.rest()
  })
  after(() => service[Symbol.asyncDispose]())

  const get = (path: string, accept?: string) =>
    service.ask({ method: 'GET', path, token: farm.ada.token, ...(accept !== undefined && { headers: { accept } }) })

  test('answers in EDN to those who do not say what they accept', async () => {
    for (const path of [
      '/api/v1.1/me',
      '/api/v1.1/projects',
      '/api/v1.1/recent-builds',
      project,
      `${project}/1`,
      `${project}/envvar`,
    ]) {
      const expected = valueOf(await get(path, 'application/json'))
      for (const accept of [undefined, '', ' ']) {
        const answer = await get(path, accept)
        assert.equal(answer.headers['content-type'], 'application/edn; charset=utf-8')
        assert.deepEqual(readEdn(answer.text), expected, path)
      }
    }
  })

  test('writes JSON compactly for exactly application/json, and over lines for anything else', async () => {
    const compact = await get(project, 'application/json')
    assert.equal(compact.text, JSON.stringify(valueOf(compact)))
    for (const accept of ['*/*', 'text/html', 'application/json, text/plain', 'application/xml']) {
      const { text, headers } = await get(project, accept)
      assert.deepEqual(JSON.parse(text), valueOf(compact))
      assert.match(text, /^\[ \{\n {2}"vcs_url" : "/)
      assert.match(text, /\n {2}"build_num" : 1,\n/)
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    }
  })

  test('tells errors in JSON whatever is accepted', async () => {
    for (const accept of [undefined, 'application/json', 'text/html']) {
      const { status, headers, text } = await get(`${project}/999`, accept)
      assert.deepEqual(
        [status, headers['content-type'], text],
        [404, 'application/json; charset=utf-8', '{"message":"Build not found."}'],
      )
    }
  })

  test('takes a slash at the end, the prefix of generation 1 and every code of the provider', async () => {
    const { text } = await get(project, 'application/json')
    const same = [
      `${project}/`,
      '/api/v1/project/acme/web',
      '/api/v1/project/acme/web/',
      '/api/v1.1/project/github/acme/web',
      '/api/v1.1/project/provider-a/ACME/Web',
    ]
    for (const path of same) assert.equal((await get(path, 'application/json')).text, text, path)
    assert.equal((await get('/api/v1/me', 'application/json')).status, 200)
    assert.equal((await get('/api/v1.1/project/bb/acme/web', 'application/json')).status, 404)
    assert.equal((await get('/api/v1.1/project/nowhere/acme/web', 'application/json')).status, 404)
  })

  test('lets a build be shown again for a moment where it has ended, and not before (§9.5)', async () => {
    const kept = async () => (await get(`${project}/1`, 'application/json')).headers['cache-control']
    assert.equal(await kept(), undefined)
    await service.ask({ method: 'POST', path: `${project}/1/cancel`, token: farm.ada.token })
    assert.equal(await kept(), 'private, max-age=5')
  })

  test('takes slashes twice, and signs of a branch that should have been encoded', async () => {
    const { text } = await get('/api/v1.1/me', 'application/json')
    for (const path of ['/api/v1.1//me', '//api/v1.1/me', '/api//v1.1//me//'])
      assert.equal((await get(path, 'application/json')).text, text, path)
    for (const branch of ['50%off', 'gr%C3%BCn', '%F0%9F%9A%80'])
      assert.deepEqual(valueOf(await get(`${project}/tree/${branch}`, 'application/json')), [], branch)
  })

  test('tells the head of what it would answer, and nothing more', async () => {
    for (const path of ['/api/v1.1/me', project, `${project}/1`, `${project}/1/tests`, '/cc.xml', '/gh/acme/web.svg']) {
      const whole = await get(path, 'application/json')
      const head = await service.ask({
        method: 'HEAD',
        path,
        token: farm.ada.token,
        headers: { accept: 'application/json' },
      })
      assert.deepEqual(
        [head.status, head.text, head.headers['content-type']],
        [200, '', whole.headers['content-type']],
        path,
      )
    }
  })

  test('lets pages of other sites ask with a token, and never with the session of a browser', async () => {
    const headers = { origin: 'https://dashboard.example.com', accept: 'application/json' }
    const preflight = await service.ask({
      method: 'OPTIONS',
      path: `${project}/1/retry?circle-token=x`,
      headers: {
        ...headers,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'circle-token',
      },
    })
    const allowed = (name: string) => String(preflight.headers[`access-control-allow-${name}`])
    assert.deepEqual([preflight.status, preflight.text, allowed('origin')], [204, '', '*'])
    for (const name of ['circle-token', 'service-token', 'authorization', 'content-type'])
      assert.ok(allowed('headers').split(', ').includes(name), name)
    assert.doesNotMatch(allowed('headers'), /x-requested-with/i)
    for (const path of ['/api/v1.1/me', '/api/v2/me', '/api/v1.1/project/gh/acme/nothing']) {
      for (const token of [farm.ada.token, 'wrong']) {
        const answer = await service.ask({ method: 'GET', path, token, headers })
        assert.equal(answer.headers['access-control-allow-origin'], '*', `${path} ${answer.status}`)
        assert.equal(answer.headers['access-control-allow-credentials'], undefined)
      }
    }
    const own = await service.ask({ method: 'GET', path: '/api/rh/v1/session', token: farm.ada.token, headers })
    assert.equal(own.headers['access-control-allow-origin'], undefined)
  })

  test('masks a variable by its length', async () => {
    const masks = {
      a: 'xxxx',
      ab: 'xxxxb',
      abc: 'xxxxc',
      abcd: 'xxxxcd',
      abcdef: 'xxxxdef',
      abcdefgh: 'xxxxefgh',
      'a much longer value': 'xxxxalue',
    }
    for (const [value, mask] of Object.entries(masks)) {
      const headers = { accept: 'application/json', 'content-type': 'application/json' }
      const answer = await service.ask({
        method: 'POST',
        path: `${project}/envvar`,
        token: farm.ada.token,
        headers,
        body: JSON.stringify({ name: 'MASKED', value }),
      })
      assert.deepEqual([answer.status, valueOf(answer)], [201, { name: 'MASKED', value: mask }])
      assert.match(answer.headers.location ?? '', /\/envvar\/MASKED$/)
    }
    assert.deepEqual(valueOf(await get(`${project}/envvar/MASKED`, 'application/json')), {
      name: 'MASKED',
      value: 'xxxxalue',
    })
    const gone = await service.ask({
      method: 'DELETE',
      path: `${project}/envvar/MASKED`,
      token: farm.ada.token,
      headers: { accept: 'application/json' },
    })
    assert.equal(gone.text, '{"message":"ok"}')
    assert.equal((await get(`${project}/envvar/MASKED`)).text, '{"message":"env var not found"}')
  })

  test('finds the builds of a branch whose name has slashes and dots, raw and encoded', async () => {
    await service.push(
      'acme/branches',
      { '.service/config.yml': config },
      ['main', 'feature/a.b+c', 'fix#1'],
      farm.ada.token,
    )
    const tree = '/api/v1.1/project/gh/acme/branches/tree'
    for (const branch of ['feature/a.b+c', 'feature%2Fa.b%2Bc', 'fix%231']) {
      const made = await service.ask({
        method: 'POST',
        path: `${tree}/${branch}`,
        token: farm.ada.token,
        headers: { accept: '*/*' },
      })
      assert.equal(made.status, 201, made.text)
      const builds = valueOf(await get(`${tree}/${branch}`, 'application/json')) as { readonly branch: string }[]
      assert.ok(builds.length > 0)
      assert.deepEqual([...new Set(builds.map((build) => build.branch))], [decodeURIComponent(branch)])
    }
    const followed = valueOf(await get('/api/v1.1/projects', 'application/json')) as {
      readonly reponame: string
      readonly branches: object
    }[]
    const { branches = {} } = followed.find(({ reponame }) => reponame === 'branches') ?? {}
    assert.deepEqual(Object.keys(branches).toSorted(), ['feature%2Fa%2Eb%2Bc', 'fix%231'])
  })
})
