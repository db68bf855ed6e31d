import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { shellFiles } from '#agent/executors/shell-files.ts'
import { gitRepository, type TestRepository } from '#agent/testing/repository.ts'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld, tempFolder } from '#agent/testing/world.ts'
import { lane } from '#test/lanes.ts'
import { seedOf } from './seed.ts'
import { deliverFiles } from './worktree.ts'

/* Repositories that would like to be more than files. */

/** Makes a commit of a tree that git itself would not make. */
function commitTree(origin: TestRepository, entries: readonly string[]): string {
  const plumb = (input: string, ...words: string[]) =>
    execFileSync('git', ['-C', origin.path, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { input })
      .toString()
      .trim()
  const tree = plumb(entries.map((entry) => `${entry}\n`).join(''), 'mktree')
  const revision = plumb('', 'commit-tree', tree, '-m', 'hostile')
  origin.git('update-ref', 'refs/heads/hostile', revision)
  return revision
}

const blob = (origin: TestRepository, text: string) =>
  execFileSync('git', ['-C', origin.path, 'hash-object', '-w', '--stdin'], { input: text }).toString().trim()
const treeOf = (origin: TestRepository, ...entries: string[]) =>
  execFileSync('git', ['-C', origin.path, 'mktree'], { input: entries.map((entry) => `${entry}\n`).join('') })
    .toString()
    .trim()

/** Puts the files of a revision into a folder as for a place without git; what git in the agent says. */
async function putFiles(origin: TestRepository, revision: string, folder: string): Promise<string> {
  const gitDir = join(origin.path, '.git')
  const stock = { gitDir, packs: [], refs: '', head: null, isPartial: false, isShallow: false }
  const source = { ...origin.checkout({ revision }), token: '' }
  const signal = AbortSignal.timeout(120_000)
  return deliverFiles(shellFiles, seedOf(stock, source), join(folder, 'into'), {
    folder: join(folder, 'own'),
    gitDir,
    revision,
    signal,
  })
}

test('a tree with a .git in it is refused, by git in the place and by git in the agent', async () => {
  using origin = gitRepository()
  using folder = tempFolder()
  const config = blob(origin, '[core]\n\tfsmonitor = touch /tmp/roundhouse-hostile\n')
  const revision = commitTree(origin, [`040000 tree ${treeOf(origin, `100644 blob ${config}\tconfig`)}\t.GIT`])
  await using it = await smallWorld({}, { mirrors: { allowFiles: true } })
  const checkout = origin.checkout({ revision, branch: 'hostile' })
  const { outcome, logs } = await it.play(job([origin.step()], { checkout }), 180_000)
  assert.equal(outcome, 'failed')
  assert.match(logs[0]!, /invalid path '\.GIT\/config'/)
  await assert.rejects(putFiles(origin, revision, folder.path), /invalid path/)
  assert.deepEqual(existsSync(join(folder.path, 'into')), false)
  assert.equal(existsSync('/tmp/roundhouse-hostile'), false)
})

test('a link and a file behind it in one tree: nothing is written through the link', async () => {
  using origin = gitRepository()
  using folder = tempFolder()
  const target = join(folder.path, 'outside')
  const file = blob(origin, 'written\n')
  const entries = [
    `120000 blob ${blob(origin, target)}\ta`,
    `040000 tree ${treeOf(origin, `100644 blob ${file}\tfile`)}\ta`,
  ]
  const revision = commitTree(origin, entries)
  await putFiles(origin, revision, folder.path).catch(() => '')
  assert.equal(existsSync(target), false)
})

test('attributes, hooks and settings of a repository or of the job run nothing in the agent', async () => {
  using origin = gitRepository()
  using folder = tempFolder()
  const marker = join(folder.path, 'ran')
  const revision = origin.commit('attributes', {
    '.gitattributes': '* filter=evil ident\n*.x export-ignore diff=evil\n',
    'a.x': 'kept $Id$\n',
    'hooks/post-checkout': `#!/bin/sh\ntouch ${marker}\n`,
  })
  // As an agent's own user might have it.
  origin.git('config', '--file', join(folder.path, '.gitconfig'), 'filter.evil.smudge', `touch ${marker}`)
  const words = await putFiles(origin, revision, folder.path)
  assert.match(words, /^HEAD is now at [0-9a-f]+ attributes\n$/)
  assert.equal(existsSync(marker), false)
  assert.deepEqual(readdirSync(join(folder.path, 'into')).toSorted(), [
    '.git',
    '.gitattributes',
    'a.x',
    'dir',
    'file',
    'hooks',
    'script',
  ])
})

test('a job that is locked in gets its code too, and sees no mirror', { skip: lane('bubblewrap').reason }, async () => {
  using origin = gitRepository()
  await using it = await smallWorld({}, { mirrors: { allowFiles: true }, isolation: { hide: [], network: true } })
  const look = run(
    `cat file; git status --porcelain; git fsck; ls ${it.folder}/mirrors 2>&1 | grep -o "No such file.*" || true`,
  )
  for (const method of ['full', 'blobless', 'shallow']) {
    const again = origin.step({ method })
    const spec = job([again, look, again, look], { checkout: origin.checkout() })
    const { outcome, logs } = await it.play(spec, 180_000)
    assert.equal(outcome, 'success', logs.join('\n'))
    assert.equal(logs[1], 'two\nNo such file or directory\n')
    assert.equal(logs[3], logs[1])
  }
})
