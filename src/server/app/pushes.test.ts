import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import { refsOf } from '#server/store/refs.ts'
import { commit, git, workingCopy } from '#server/vcs/lab.ts'
import { ada, givenProject } from '#test/given.ts'
import { databases, smallWorld, type SmallWorld } from '#test/world.ts'
import { projectForPush } from './projects.ts'
import { receivePush, recoverPushes } from './pushes.ts'
import { movedRefs } from './refs.ts'
import { repositoryOf } from './repositories.ts'

/** A project, and the working copy of somebody who pushes to it with git alone: the server has yet to notice. */
async function copyOf(it: SmallWorld) {
  const project = await givenProject(it)
  const copy = join(it.folder, 'copy')
  await mkdir(copy)
  const first = await workingCopy(copy)
  const push = (...refs: readonly string[]) =>
    git(copy, 'push', '--quiet', '--force', repositoryOf(it.world, project), ...refs)
  return { project, copy, first, push }
}

/** What the server makes of it: `branch main 1234`. */
async function noticed(it: SmallWorld, project: ProjectRow): Promise<readonly string[]> {
  const made = await receivePush(it.world, it.app.findRevision, project, null)
  return made.map(({ branch, tag, revision }) => `${tag === null ? `branch ${branch}` : `tag ${tag}`} ${revision}`)
}

const moves = async (it: SmallWorld, project: ProjectRow): Promise<readonly unknown[]> =>
  (await movedRefs(it.world, project)).map(({ ref, from, to }) => [ref, from, to])

for (const database of databases) {
  describe(`pushes on ${database}`, () => {
    test('a new branch is built once', async () => {
      await using it = await smallWorld(database)
      const { project, first, push } = await copyOf(it)
      assert.deepEqual(await noticed(it, project), [])
      await push('main')
      it.rung.length = 0
      assert.deepEqual(await noticed(it, project), [`branch main ${first}`])
      assert.deepEqual(it.rung, ['pipelines', `project:${project.id}`])
      assert.deepEqual(await noticed(it, project), [])
    })

    test('a branch that moved on, was forced elsewhere or came back is built where it is now', async () => {
      await using it = await smallWorld(database)
      const { project, copy, first, push } = await copyOf(it)
      await push('main')
      await noticed(it, project)
      const second = await commit(copy, 'second')
      await push('main')
      assert.deepEqual(await moves(it, project), [['refs/heads/main', first, second]])
      assert.deepEqual(await noticed(it, project), [`branch main ${second}`])
      await git(copy, 'reset', '--quiet', '--hard', first)
      const other = await commit(copy, 'other')
      await push('main')
      assert.deepEqual(await noticed(it, project), [`branch main ${other}`])
      await push(`${first}:refs/heads/main`)
      assert.deepEqual(await noticed(it, project), [`branch main ${first}`])
    })

    test('a branch that is gone is forgotten, and builds nothing', async () => {
      await using it = await smallWorld(database)
      const { project, push } = await copyOf(it)
      await push('main', 'main:refs/heads/old')
      await noticed(it, project)
      await push(':refs/heads/old')
      assert.deepEqual(await noticed(it, project), [])
      assert.deepEqual([...(await refsOf(it.world.db, project.id)).keys()], ['refs/heads/main'])
    })

    test('branches come first, then tags; an annotated tag builds what it points at', async () => {
      await using it = await smallWorld(database)
      const { project, copy, first, push } = await copyOf(it)
      await git(copy, 'tag', 'plain')
      await git(copy, 'tag', '-a', '-m', 'told', 'annotated')
      await push('main', 'main:refs/heads/feature/x', '--tags')
      assert.deepEqual(await noticed(it, project), [
        `branch feature/x ${first}`,
        `branch main ${first}`,
        `tag annotated ${first}`,
        `tag plain ${first}`,
      ])
    })

    for (const message of ['fix [skip ci]', 'fix\n\nwords [ci skip] words']) {
      test(`a commit that says ${JSON.stringify(message)} is noted and not built`, async () => {
        await using it = await smallWorld(database)
        const { project, copy, push } = await copyOf(it)
        const revision = await commit(copy, message)
        await push('main')
        assert.deepEqual(await noticed(it, project), [])
        assert.deepEqual(await refsOf(it.world.db, project.id), new Map([['refs/heads/main', revision]]))
      })
    }

    test('a push that git accepted and nobody noted, as the server died, is found at the next start', async () => {
      await using it = await smallWorld(database)
      const { project, first, push } = await copyOf(it)
      const silent = await projectForPush(it.world, await ada(it), 'acme', 'silent')
      await push('main')
      await recoverPushes(it.world, it.app.findRevision)
      await recoverPushes(it.world, it.app.findRevision)
      const rows = await it.world.db.selectFrom('pipelines').select(['project_id', 'revision', 'actor_id']).execute()
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        [{ project_id: project.id, revision: first, actor_id: null }],
      )
      assert.deepEqual(await movedRefs(it.world, silent), [])
    })

    test('a repository that cannot be read does not hide what was pushed to the others', async () => {
      await using it = await smallWorld(database)
      const broken = await givenProject(it, 'broken')
      await promisify(execFile)('rm', ['-r', repositoryOf(it.world, broken)])
      const { first, push } = await copyOf(it)
      await push('main')
      await recoverPushes(it.world, it.app.findRevision)
      const rows = await it.world.db.selectFrom('pipelines').select('revision').execute()
      assert.deepEqual(
        rows.map(({ revision }) => revision),
        [first],
      )
      assert.deepEqual(it.logged, ['error Cannot look for pushes'])
    })

    test('pushes that are noticed by several at once are built once each, at the last place', async () => {
      await using it = await smallWorld(database)
      const { project, copy, first, push } = await copyOf(it)
      const names = ['a', 'b', 'c', 'd', 'e', 'f']
      const made = await Promise.all(
        names.map(async (name) => {
          await push(`main:refs/heads/${name}`)
          return noticed(it, project)
        }),
      )
      assert.deepEqual(
        made.flat().toSorted(),
        names.map((name) => `branch ${name} ${first}`),
      )
      const second = await commit(copy, 'second')
      await push('main:refs/heads/a')
      const again = await Promise.all(names.map(() => noticed(it, project)))
      assert.deepEqual(again.flat(), [`branch a ${second}`])
      assert.deepEqual(await movedRefs(it.world, project), [])
    })

    test('a project takes for its default branch the one that was pushed when there is no main', async () => {
      await using it = await smallWorld(database)
      const { project, push } = await copyOf(it)
      await push('main:refs/heads/trunk')
      await noticed(it, project)
      assert.equal((await projectById(it.world.db, { id: project.id }))?.default_branch, 'trunk')
    })

    test('first pushes that come together make one project', async () => {
      await using it = await smallWorld(database)
      const user = await ada(it)
      const six = ['a', 'b', 'c', 'd', 'e', 'f']
      // All connections are open when it matters.
      await Promise.all(six.map((name) => projectForPush(it.world, user, `org-${name}`, 'warm')))
      const made = await Promise.all(six.map(() => projectForPush(it.world, user, 'Acme', 'Web')))
      assert.deepEqual(new Set(made.map(({ id }) => id)).size, 1)
      assert.equal((await projectForPush(it.world, user, 'acme', 'web')).id, made[0]?.id)
    })
  })
}
