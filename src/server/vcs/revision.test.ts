import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { configPaths } from '#core/names.ts'
import { commit, git, temporaryFolder, workingCopy } from './lab.ts'
import { commitOf, commitsBetween, configOf, countCommits, readRevision } from './revision.ts'

/** A working copy, whose own repository is read. */
async function lab(message?: string) {
  const folder = await temporaryFolder()
  const first = await workingCopy(folder.path, message)
  const write = async (path: string, text: string | Uint8Array) => {
    await mkdir(dirname(join(folder.path, path)), { recursive: true })
    await writeFile(join(folder.path, path), text)
  }
  return {
    work: folder.path,
    path: join(folder.path, '.git'),
    first,
    write,
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  }
}

describe('a revision', () => {
  test('tells who made it, when by their own clock, and what they said', async () => {
    await using it = await lab('One thing\nin two lines\n\nand why\n\n- a list\n')
    assert.deepEqual(await readRevision(it.path, it.first), {
      commit: {
        revision: it.first,
        parents: [],
        author: { name: 'Ada', email: 'ada@example.com', date: '2020-01-03T15:08:37-07:00' },
        committer: { name: 'Grace', email: 'grace@example.com', date: '2020-01-04T00:00:00+05:30' },
        subject: 'One thing in two lines',
        body: 'and why\n\n- a list',
      },
      config: undefined,
    })
  })

  test('has the first configuration that exists, in the agreed order', async () => {
    await using it = await lab()
    for (const path of configPaths) await it.write(path, `# ${path}\n`)
    for (const path of configPaths) {
      const { config } = await readRevision(it.path, await commit(it.work, `with ${path}`))
      assert.deepEqual(config, { path, text: `# ${path}\n` })
      await rm(join(it.work, path))
    }
    assert.equal(await configOf(it.path, await commit(it.work, 'without')), undefined)
  })

  test('has no configuration where a folder has its name', async () => {
    await using it = await lab()
    await it.write('service.yml/x', '')
    await it.write('circle.yml', 'machine: {}\n')
    const { config } = await readRevision(it.path, await commit(it.work, 'folder'))
    assert.deepEqual(config, { path: 'circle.yml', text: 'machine: {}\n' })
  })

  test('is read through an annotated tag', async () => {
    await using it = await lab()
    await git(it.work, 'tag', '-a', '-m', 'v1', 'v1')
    const tag = await git(it.work, 'rev-parse', 'v1')
    assert.equal((await commitOf(it.path, tag)).revision, it.first)
  })

  test('that does not exist is not found, and a name is no revision', async () => {
    await using it = await lab()
    await assert.rejects(readRevision(it.path, 'a'.repeat(40)), { code: 'not-found' })
    for (const name of ['main', '--batch-all-objects', `${it.first}\n`, `${it.first}:x`]) {
      await assert.rejects(readRevision(it.path, name), { code: 'invalid' })
    }
    const tree = await git(it.work, 'rev-parse', 'HEAD^{tree}')
    await assert.rejects(commitOf(it.path, tree), { code: 'not-found' })
  })

  test('with a configuration that is too large is refused', async () => {
    await using it = await lab()
    await it.write('.service/config.yml', Buffer.alloc(10_000_001, 'x'))
    const large = await commit(it.work, 'large')
    await assert.rejects(readRevision(it.path, large), { code: 'too-large' })
    await it.write('.service/config.yml', Buffer.alloc(60_000_000, 'x'))
    const huge = await commit(it.work, 'huge')
    await assert.rejects(readRevision(it.path, huge), { code: 'too-large' })
  })
})

describe('the commits of a push', () => {
  test('are those that are new, newest first, up to a limit', async () => {
    await using it = await lab()
    const revisions = [it.first, await commit(it.work, 'second'), await commit(it.work, 'third')]
    const subjects = async (from: string | undefined, limit = 10) =>
      (await commitsBetween(it.path, { from, to: revisions[2]! }, limit)).map(({ subject }) => subject)
    assert.deepEqual(await subjects(it.first), ['third', 'second'])
    assert.deepEqual(await subjects(it.first, 1), ['third'])
    assert.deepEqual(await subjects(undefined), ['third', 'second', 'first'])
    assert.deepEqual(await subjects('0'.repeat(40), 2), ['third', 'second'])
    assert.deepEqual(await subjects('e'.repeat(40), 2), ['third', 'second'])
  })

  test('are counted: those that what was there before does not have, all where that is gone', async () => {
    await using it = await lab()
    await commit(it.work, 'second')
    await git(it.work, 'checkout', '--quiet', '-b', 'feature')
    const last = await commit(it.work, 'third')
    assert.equal(await countCommits(it.path, last, it.first), 2)
    assert.equal(await countCommits(it.path, last, 'refs/heads/main'), 1)
    assert.equal(await countCommits(it.path, last, undefined), 3)
    assert.equal(await countCommits(it.path, last, 'e'.repeat(40)), 3)
  })
})

test('a git that is told to stop, stops', async () => {
  await using it = await lab()
  await assert.rejects(readRevision(it.path, it.first, AbortSignal.abort()), { name: 'AbortError' })
})
