import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { describe } from 'node:test'
import { pause } from '#kit/backoff.ts'
import { dice } from './dice.ts'
import type { House } from './house.ts'
import { type Project, projectOf } from './project.ts'
import { makeRepository, type Repository } from './repository.ts'
import { scenario } from './scenario.ts'
import { slowGit } from './slow-git.ts'
import { until } from './until.ts'

const config = 'version: 2.1\njobs:\n  build:\n    machine: true\n    steps:\n      - run: echo hello\n'
const refs = ['main', 'one', 'two', 'v1'] as const

/** New commits for three branches, and a new tag: a few megabytes, so that git has something to do while it is disturbed. */
async function changeAll(repository: Repository, round: number): Promise<readonly string[]> {
  await repository.git('checkout', '--quiet', '-B', 'main')
  for (const branch of ['main', 'one', 'two']) {
    if (branch !== 'main') await repository.git('checkout', '--quiet', '-B', branch, 'main')
    await repository.commit(`Round ${round} of ${branch}`, {
      '.service/config.yml': config,
      [`${branch}.bin`]: randomBytes(700_000),
    })
  }
  await repository.git('checkout', '--quiet', 'main')
  await repository.git('tag', '--force', 'v1')
  return refs
}

/** What there must be a pipeline for, told as ref and revision; tags show where they point. */
async function pushed(repository: Repository): Promise<readonly string[]> {
  const found = await repository.remoteRefs()
  return [...found].map(([ref, revision]) => `${ref.replace(/^refs\/(heads|tags)\//, '')} ${revision}`)
}

const built = async (project: Project): Promise<readonly string[]> =>
  (await project.pipelines()).map(({ vcs }) => `${vcs?.tag ?? vcs?.branch} ${vcs?.revision}`)

/** Says that whatever git has taken so far has exactly one pipeline. */
async function assertBuiltOnce(project: Project, taken: ReadonlySet<string>): Promise<void> {
  const missing = async () => {
    const found = new Set(await built(project))
    return [...taken].filter((one) => !found.has(one))
  }
  await until('every pushed ref has a pipeline', async () => ((await missing()).length === 0 ? true : undefined)).catch(
    async (error: unknown) => {
      throw new Error(`${String(error)}; no pipeline for ${(await missing()).join(', ')}`)
    },
  )
  const all = await built(project)
  assert.equal(all.length, new Set(all).size, `A push was built more than once: ${all.toSorted().join(', ')}`)
}

async function pushInto(
  house: House,
  repository: Repository,
  disturb: (pushing: Promise<boolean>) => Promise<void>,
  kill = () => house.kill(),
): Promise<boolean> {
  const pushing = repository.push('--all').then(
    () => true,
    () => false,
  )
  await disturb(pushing)
  await kill()
  const accepted = await pushing
  await house.start()
  return accepted
}

describe('pushing', { concurrency: true }, () => {
  scenario('a server that is killed right after a push has a pipeline for it when it comes back', async (stage) => {
    const house = await stage.house()
    await house.start()
    const repository = await makeRepository(stage.folder, house.url, 'pushed')
    const project = projectOf(house, repository, 'pushed')
    const taken = new Set<string>()
    for (let round = 0; round < 3; round++) {
      await changeAll(repository, round)
      assert.ok(
        await pushInto(house, repository, async (pushing) => void (await pushing)),
        'The push must have been accepted',
      )
      for (const one of await pushed(repository)) taken.add(one)
      await assertBuiltOnce(project, taken)
    }
  })

  scenario(
    'a server that is killed during a push has pipelines for what git took, and takes the rest again',
    async (stage) => {
      const roll = dice(6)
      const house = await stage.house()
      await house.start()
      for (let round = 0; round < 4; round++) {
        // Each time a new project: also its making is disturbed.
        const name = `pushed-${round}`
        const repository = await makeRepository(stage.folder, house.url, name)
        const project = projectOf(house, repository, name)
        await changeAll(repository, round)
        // In every other round git dies with the server, and may leave its locks behind.
        const kill = () => (round % 2 === 0 ? house.kill() : house.killGroup())
        await pushInto(house, repository, () => pause(roll(20, 450)), kill)
        // A git that has outlived its server may still be busy with the same refs, and refuses whoever comes meanwhile.
        for (const rest of ['--all', '--tags'])
          await until(`${rest} is taken`, () =>
            repository.push(rest).then(
              () => true,
              () => undefined,
            ),
          )
        await assertBuiltOnce(project, new Set(await pushed(repository)))
        assert.equal((await project.pipelines()).length, refs.length, 'Every ref must have one pipeline')
      }
    },
  )

  scenario('a push that git goes on with after its server was killed is built by the next one', async (stage) => {
    const slow = slowGit(stage.folder)
    const house = await stage.house({}, slow.path)
    await house.start()
    const repository = await makeRepository(stage.folder, house.url, 'slow')
    await repository.commit('Begin', { '.service/config.yml': config })
    const pushing = repository.push('main').catch(() => undefined)
    await until('git has all of the push', () => (existsSync(slow.taken) ? true : undefined))
    await house.kill()
    await pushing
    await house.start()
    slow.release()
    await until('git has moved the branch', async () => ((await repository.remoteRefs()).size > 0 ? true : undefined))
    await assertBuiltOnce(projectOf(house, repository, 'slow'), new Set(await pushed(repository)))
  })

  scenario(
    'a server that is killed while somebody waits for a push keeps it, builds it once, and the next push tells what became of it',
    async (stage) => {
      const house = await stage.house()
      await house.start()
      const repository = await makeRepository(stage.folder, house.url, 'waited')
      const project = projectOf(house, repository, 'waited')
      await repository.commit('One', { '.service/config.yml': config })
      // Nobody takes its job: it waits until the server dies.
      let heard = ''
      const waiting = repository.told(['push', '-o', 'wait', repository.remote, 'main'], (text) => (heard += text))
      await until('the pusher was told of the pipeline', () => /Pipeline 1 of main: /.test(heard) || undefined)
      await house.kill()
      await waiting
      await house.start()
      const again = await repository.told(['push', '-o', 'wait', repository.remote, 'main'])
      assert.match(again, /Everything up-to-date/)
      const worker = await stage.worker(house)
      worker.start()
      const [first, ...more] = await project.pipelines()
      assert.ok(first && more.length === 0)
      assert.equal((await project.ended(first.id)).workflow.status, 'success')
      await repository.commit('Two', {})
      const next = await repository.told(['push', '-o', 'wait', repository.remote, 'main'])
      assert.match(next, /Pipeline 1 of main, of an earlier push: success http/)
      assert.match(next, /Pipeline 2: success/)
      await repository.commit('Three', {})
      // Told once.
      const last = await repository.told(['push', repository.remote, 'main'])
      assert.doesNotMatch(last, /earlier push/)
      const all = await built(project)
      assert.equal(all.length, 3)
      await assertBuiltOnce(project, new Set(await pushed(repository)))
    },
    300_000,
  )
})
