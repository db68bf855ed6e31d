import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import type { ProjectId } from '#core/ids.ts'
import { isRefName } from '#core/refs.ts'
import { git, temporaryFolder, workingCopy } from './lab.ts'
import { refsOf } from './refs.ts'
import { createBare, removeRepository, repositoryPath, setDefaultBranch, tidyRepository } from './repositories.ts'

const project = '0193a1b2-0000-7000-8000-0000000000aB' as ProjectId

test('a repository is named by its project, and by nothing else', () => {
  assert.equal(repositoryPath('/r', project), '/r/ab/0193a1b2-0000-7000-8000-0000000000ab.git')
  for (const id of ['../../etc', '', 'x'] as ProjectId[]) assert.throws(() => repositoryPath('/r', id), TypeError)
})

test('a new repository is whole in the eyes of git, and making it twice changes nothing', async () => {
  await using folder = await temporaryFolder()
  const path = repositoryPath(folder.path, project)
  await Promise.all([createBare(path, 'trunk'), createBare(path, 'trunk'), createBare(path, 'trunk')])
  await createBare(path, 'other')
  assert.equal(await git(path, 'fsck'), '')
  assert.equal(await git(path, 'rev-parse', '--is-bare-repository'), 'true')
  assert.deepEqual(await refsOf(path), { head: 'trunk', refs: new Map() })
  assert.deepEqual(await readdir(join(path, '..')), ['0193a1b2-0000-7000-8000-0000000000ab.git'])
})

test('the default branch can be changed, to an ordinary name only', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'x.git')
  await createBare(path)
  await setDefaultBranch(path, 'next')
  assert.equal((await refsOf(path)).head, 'next')
  await assert.rejects(setDefaultBranch(path, 'a\nb'), { code: 'invalid' })
})

test('tidying packs what lies loose, and loses nothing', async () => {
  await using folder = await temporaryFolder()
  const [path, work] = [join(folder.path, 'x.git'), join(folder.path, 'work')]
  await createBare(path)
  await mkdir(work)
  await workingCopy(work)
  await git(path, 'fetch', '--quiet', work, 'main:main')
  // git guesses how many objects lie loose from the folder 17 alone.
  await mkdir(join(path, 'objects/17'), { recursive: true })
  for (let n = 0; n < 10_000; n++) {
    const blob = Buffer.from(`blob 5\0${String(n).padStart(5, '0')}`)
    const id = createHash('sha1').update(blob).digest('hex')
    if (id.startsWith('17')) await writeFile(join(path, 'objects/17', id.slice(2)), deflateSync(blob))
  }
  const before = await refsOf(path)
  await tidyRepository(path, AbortSignal.timeout(120_000))
  assert.deepEqual(await refsOf(path), before)
  assert.ok((await readdir(join(path, 'objects/pack'))).some((name) => name.endsWith('.pack')))
})

test('a repository can be removed twice', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'x.git')
  await createBare(path)
  await removeRepository(path)
  await removeRepository(path)
  assert.deepEqual(await readdir(folder.path), [])
})

test('every name that we allow is a name to git too', async () => {
  const names = [
    'main',
    'a/b',
    'ünï',
    'a@b',
    '@x',
    'a-',
    'x.y.z',
    "it's",
    'a"b',
    '#1',
    '$(id)',
    'a;b',
    'a.lockx',
    '{',
    'a@',
    '!',
    '%2e%2e',
  ]
  const refused = ['-x', 'a..b', 'a.lock', 'a b', 'a~', '@{', 'a/', '.a', 'a/.b', 'a\\b', 'a\u007f']
  for (const name of names) assert.ok(isRefName(name), name)
  await using folder = await temporaryFolder()
  for (const name of names) await git(folder.path, 'check-ref-format', '--branch', name)
  for (const name of refused) {
    assert.ok(!isRefName(name), name)
    await assert.rejects(git(folder.path, 'check-ref-format', '--branch', name))
  }
})
