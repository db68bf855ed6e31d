import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { test } from 'node:test'
import { getProject } from '#contract/v2/project.ts'
import { join, newPerson, newProjectToken } from '#test/api/people.ts'
import { newClone } from '#test/api/repository.ts'
import { openService } from '#test/api/service.ts'
import { watch } from './watch.ts'

const config =
  'version: 2.1\njobs: { build: { machine: true, steps: [run: "true"] } }\nworkflows: { main: { jobs: [build] } }\n'
const slug = { provider: 'gh', org: 'acme', repo: 'web' }

test('a push of many megabytes arrives whole, and comes back whole', async () => {
  await using service = await openService()
  await using clone = await newClone()
  await writeFile(joinPath(clone.folder, 'big'), randomBytes(9 * 1024 * 1024))
  const revision = await clone.commit('Big', { '.service/config.yml': config })
  await clone.git('push', '--quiet', service.remote('acme/web'), 'main')
  await using other = await newClone()
  await other.git('fetch', '--quiet', service.remote('acme/web'), 'main')
  assert.equal(await other.git('rev-parse', 'FETCH_HEAD'), revision)
  await other.git('fsck', '--strict')
})

test('a repository has one name in any case, with and without its ending, and rewritten history is built', async () => {
  await using service = await openService()
  const { pipelines } = watch(service, 'web', service.admin.token)
  await using clone = await newClone()
  await clone.commit('One', { '.service/config.yml': config })
  await clone.git('push', '--quiet', service.remote('acme/web'), 'main')
  await clone.git('commit', '--quiet', '--amend', '--message', 'Another one')
  const revision = await clone.git('rev-parse', 'HEAD')
  await assert.rejects(clone.git('push', '--quiet', service.remote('acme/web'), 'main'), /rejected/)
  await clone.git('push', '--quiet', '--force', service.remote('ACME/Web').replace(/\.git$/, ''), 'main')
  assert.deepEqual(
    (await pipelines()).map(({ number, vcs }) => [number, vcs?.revision === revision]),
    [
      [2, true],
      [1, false],
    ],
  )
  await clone.git('push', '--quiet', service.remote('acme/web'), 'main')
  assert.equal((await pipelines()).length, 2)
})

test('who may look may fetch, and only who may build and every part of a project may push', async () => {
  await using service = await openService()
  const [ada, vera] = [await newPerson(service.world, 'ada'), await newPerson(service.world, 'vera')]
  await service.push('acme/web', { '.service/config.yml': config }, ['main'], ada.token)
  await join(service.world, vera, 'acme', 'viewer')
  const { id } = await service.call(getProject, { params: slug }, ada.token)
  await using clone = await newClone()
  await clone.commit('Other', { file: 'x' })
  const push = (token: string) =>
    clone.git('push', '--quiet', service.remote('acme/web', token), 'HEAD:refs/heads/other')
  const fetch = (token: string) => clone.git('fetch', '--quiet', service.remote('acme/web', token), 'main')
  await fetch(vera.token)
  await assert.rejects(push(vera.token), /403/)
  for (const scope of ['view-builds', 'trigger-builds', 'write-settings']) {
    const token = await newProjectToken(service.world, id, scope)
    await assert.rejects(push(token), /403/, `a token for ${scope} pushes nothing`)
  }
  await assert.rejects(fetch(await newProjectToken(service.world, id, 'status')), /not found/)
  await push(await newProjectToken(service.world, id, 'all'))
})

test('an address of a repository that could be a path or an option is refused, and makes nothing', async () => {
  await using service = await openService()
  const names = [
    '..',
    '%2e%2e',
    '-x',
    '--upload-pack=x',
    'a%2Fb',
    'a%00b',
    'a%0ab',
    '.git',
    'a'.repeat(300),
    '%ff',
    'a%20b',
    '~',
    'a..b',
  ]
  for (const name of names) {
    for (const path of [`/git/${name}/web.git`, `/git/acme/${name}.git`, `/git/acme/${name}`]) {
      const asked = { method: 'GET', path: `${path}/info/refs?service=git-receive-pack`, token: service.admin.token }
      const { status } = await service.ask(asked)
      assert.ok(status === 400 || status === 404, `${path} answered ${status}`)
    }
  }
  assert.deepEqual(await service.world.db.selectFrom('projects').select('name').execute(), [])
  const twice = {
    method: 'GET',
    path: '/git/acme/web.git.git/info/refs?service=git-receive-pack',
    token: service.admin.token,
  }
  assert.equal((await service.ask(twice)).status, 400)
  const odd = [
    '/git/acme/web.git/HEAD',
    '/git/acme/web.git/objects/info/packs',
    '/git/acme/web.git/config',
    '/git/acme/web.git/hooks/update',
  ]
  for (const path of odd)
    assert.equal((await service.ask({ method: 'GET', path, token: service.admin.token })).status, 404, path)
})
