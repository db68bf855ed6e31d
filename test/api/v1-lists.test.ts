import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  cancelBuild,
  listBranchBuilds,
  listProjectBuilds,
  listRecentBuilds,
  triggerBuild,
} from '#contract/v1/builds.ts'
import { listOrganizationBuilds } from '#contract/v1/organizations.ts'
import { followProject } from '#contract/v1/projects.ts'
import { databases } from '#test/world.ts'
import { newHand } from './hand.ts'
import { join, newPerson, newProjectToken, type Person } from './people.ts'
import { openService, type Service } from './service.ts'

const config = 'version: 2\njobs:\n  build: {machine: true, steps: [{run: make}]}\n'
const project = (repo: string) => ({ vcs: 'gh', org: 'acme', repo })

for (const database of databases) {
  describe(`lists of builds on ${database}`, () => {
    let service: Service
    let ada: Person
    let bob: Person
    before(async () => {
      service = await openService({ database })
      ada = await newPerson(service.world, 'ada')
      bob = await newPerson(service.world, 'bob')
      const hand = await newHand(service)
      for (const repo of ['web', 'api']) {
        await service.push(`acme/${repo}`, { '.service/config.yml': config }, ['main', 'other'], ada.token)
        await hand.play('build', 'success')
      }
      await join(service.world, bob, 'acme', 'member')
      for (const repo of ['web', 'api']) {
        await service.call(followProject, { params: project(repo) }, bob.token)
        await service.call(triggerBuild, { params: project(repo), body: {} }, bob.token)
        await hand.play('build', repo === 'web' ? 'failed' : 'timedout')
      }
      const { build_num } = await service.call(triggerBuild, { params: project('web'), body: {} }, bob.token)
      await service.call(cancelBuild, { params: { ...project('web'), build_num } }, bob.token)
      await service.call(triggerBuild, { params: project('web'), body: {} }, ada.token)
    })
    after(() => service[Symbol.asyncDispose]())

    const web = async (query: object, token = bob.token) =>
      (await service.call(listProjectBuilds, { params: project('web'), query }, token)).map(
        ({ build_num }) => build_num,
      )
    const branch = async (name: string, query: object) =>
      (await service.call(listBranchBuilds, { params: { ...project('web'), '*': name }, query }, bob.token)).map(
        ({ build_num }) => build_num,
      )
    const named = (builds: readonly { reponame: string; build_num: number }[]) =>
      builds.map(({ reponame, build_num }) => `${reponame} ${build_num}`)
    const recent = async (query: object) => named(await service.call(listRecentBuilds, { query }, bob.token))
    const acme = async (query: object) =>
      named(await service.call(listOrganizationBuilds, { params: { vcs: 'gh', org: 'acme' }, query }, bob.token))

    test('begin with the newest, or with the oldest where that is asked for', async () => {
      assert.deepEqual(await web({}), [5, 4, 3, 2, 1])
      assert.deepEqual(await web({ order: 'asc' }), [1, 2, 3, 4, 5])
      assert.deepEqual(await web({ order: 'asc', limit: 2, offset: 1 }), [2, 3])
      assert.deepEqual(await web({ order: 'asc', filter: 'completed', limit: 2, offset: 1 }), [2, 3])
      const main = await branch('main', {})
      assert.deepEqual(await branch('main', { order: 'asc' }), main.toReversed())
      const all = await recent({})
      assert.equal(all.length, 8)
      assert.deepEqual(await recent({ order: 'asc' }), all.toReversed())
      assert.deepEqual(await recent({ order: 'asc', limit: 2, offset: 3 }), all.toReversed().slice(3, 5))
      assert.deepEqual(await acme({ order: 'asc' }), all.toReversed())
      assert.deepEqual(await acme({}), all)
    })

    test('may be narrowed to statuses; words that are none are passed over', async () => {
      assert.deepEqual(await web({ status: 'failed,canceled' }), [4, 3])
      assert.deepEqual(await web({ status: 'scheduled,queued', order: 'asc' }), [5])
      assert.deepEqual(await web({ status: 'success, nothing' }), [2, 1])
      assert.deepEqual(await web({ status: 'no_tests' }), [])
      assert.deepEqual(await web({ status: 'nothing', filter: 'failed' }), [3])
      assert.deepEqual(await branch('other', { status: 'success' }), await branch('other', {}))
    })

    test('may be narrowed to what one ran oneself, with everything else that may be asked', async () => {
      assert.deepEqual(await web({ mine: 'true' }), [4, 3])
      assert.deepEqual(await web({ mine: 'true', order: 'asc' }), [3, 4])
      assert.deepEqual(await web({ mine: 'true', limit: 1, offset: 1 }), [3])
      assert.deepEqual(await web({ mine: 'true', filter: 'failed' }), [3])
      assert.deepEqual(await web({ mine: 'true', filter: 'successful' }), [])
      assert.deepEqual(await web({ mine: 'true' }, ada.token), [5, 2, 1])
      assert.deepEqual(await branch('other', { mine: 'true' }), [])
      assert.deepEqual(await branch('main', { mine: 'true' }), [4, 3])
      const own = ['web 4', 'api 3', 'web 3']
      assert.deepEqual(await recent({ mine: 'true' }), own)
      assert.deepEqual(await acme({ mine: 'true', order: 'asc' }), own.toReversed())
      assert.deepEqual(await acme({ mine: 'true', status: 'timedout' }), ['api 3'])
    })

    test('mean nobody by `mine` where a project asks and no person', async () => {
      const { id } = await service.world.db
        .selectFrom('projects')
        .select('id')
        .where('name', '=', 'web')
        .executeTakeFirstOrThrow()
      assert.deepEqual(
        await web({ mine: 'true' }, await newProjectToken(service.world, id, 'view-builds')),
        [5, 4, 3, 2, 1],
      )
    })
  })
}
