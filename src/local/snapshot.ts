import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { formatRef } from '#core/refs.ts'
import type { Checkout } from './checkout.ts'
import { gitIn } from './git.ts'

/** What a snapshot is taken for. */
export interface Target {
  readonly branch: string | undefined
  readonly tag: string | undefined
}

const author = { NAME: 'Roundhouse', EMAIL: 'run@roundhouse.invalid' }

/**
 * Puts the folder as it is (tracked, changed and new files, but no ignored ones) into a bare repository of ours, and says which commit it is:
 * the one that is checked out where nothing was changed. The checkout is only read: the index is a copy, what is new is written to our
 * repository, and what is old is lent to it.
 */
export async function takeSnapshot(checkout: Checkout, repository: string, target: Target): Promise<string> {
  const index = join(repository, 'snapshot.index')
  await rm(`${index}.lock`, { force: true })
  const { git: own, root } = checkout
  if (own) await copyFile(join(own.folder, 'index'), index).catch(() => rm(index, { force: true }))
  await writeFile(join(repository, 'objects/info/alternates'), own ? `${own.objects}\n` : '')
  const git = gitIn(root, {
    GIT_DIR: own?.folder ?? repository,
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: index,
    ...(own && {
      GIT_OBJECT_DIRECTORY: join(repository, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(own.objects),
    }),
    ...Object.fromEntries(
      Object.entries(author).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    ),
  })
  await git('add', '--all', '--', '.')
  const revision = await commitOf(git, own?.head)
  await borrowHistory(checkout, repository)
  await pointAt(git, repository, revision, target, own !== undefined)
  return revision
}

type Git = ReturnType<typeof gitIn>

async function commitOf(git: Git, head: string | undefined): Promise<string> {
  const [tree, before] = await Promise.all([
    git('write-tree'),
    head === undefined ? undefined : git('rev-parse', `${head}^{tree}`),
  ])
  if (head !== undefined && tree === before) return head
  const parents = head === undefined ? [] : ['-p', head]
  const message = head === undefined ? 'The folder as it is' : 'Changes that are not committed yet'
  return git('commit-tree', tree, ...parents, '-m', message)
}

/** Where history was cut off in a shallow clone, it is cut off for us. */
async function borrowHistory({ git: own, root }: Checkout, repository: string): Promise<void> {
  const ours = join(repository, 'shallow')
  if (!own?.isShallow) return rm(ours, { force: true })
  await copyFile(resolve(root, await gitIn(root)('rev-parse', '--git-path', 'shallow')), ours)
}

/** Gives our repository the branches and tags of the checkout, with the snapshot in the place of its own. */
async function pointAt(
  git: Git,
  repository: string,
  revision: string,
  { branch, tag }: Target,
  hasRefs: boolean,
): Promise<void> {
  const ref = tag === undefined ? formatRef('branch', branch ?? 'main') : formatRef('tag', tag)
  const form = '--format=%(objectname) %(refname)'
  const known = hasRefs ? (await git('for-each-ref', form, 'refs/heads', 'refs/tags')).split('\n').filter(Boolean) : []
  const others = known.filter((line) => !collides(line.slice(line.indexOf(' ') + 1), ref))
  for (const kind of ['refs/heads', 'refs/tags']) {
    await rm(join(repository, kind), { recursive: true, force: true })
    await mkdir(join(repository, kind))
  }
  await writeFile(
    join(repository, 'packed-refs'),
    [...others, `${revision} ${ref}`].map((line) => `${line}\n`).join(''),
  )
  await writeFile(join(repository, 'HEAD'), `ref: ${tag === undefined ? ref : 'refs/heads/main'}\n`)
}

/** Two refs of which one would be the folder of the other cannot both be fetched. */
const collides = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)
