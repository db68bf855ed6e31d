import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { shellFiles } from '#agent/executors/shell-files.ts'
import type { PlaceFiles } from '#agent/executors/place-files.ts'
import { runGit } from './git.ts'
import { deliver } from './deliver.ts'
import type { SeedFile } from './seed.ts'

/** Where files are made before they are put into a place that has no git. */
export interface Bench {
  readonly folder: string
  readonly gitDir: string
  readonly revision: string
  readonly signal: AbortSignal
}

/**
 * Puts the files of a revision into a place that has no git, and the repository beside them. They are made by git in the
 * agent, which runs nothing of the repository, in a folder of its own; what goes on from there are files and links as
 * they are. Says what git would say.
 */
export async function deliverFiles(
  files: PlaceFiles,
  seed: readonly SeedFile[],
  directory: string,
  { folder, gitDir, revision, signal }: Bench,
): Promise<string> {
  const made = join(folder, `files-${randomBytes(8).toString('hex')}`)
  const tree = join(made, 'tree')
  const index = join(made, 'index')
  try {
    await mkdir(tree, { recursive: true, mode: 0o700 })
    const call = { signal, environment: { GIT_INDEX_FILE: index } }
    await runGit([`--git-dir=${gitDir}`, `--work-tree=${tree}`, 'read-tree', '--reset', '-u', revision], call)
    const format = '--format=HEAD is now at %h %s'
    const words = await runGit([`--git-dir=${gitDir}`, 'log', '--no-show-signature', '-n', '1', format, revision], call)
    const names = await readdir(tree)
    if (names.length > 0) await files.unpack(directory, shellFiles.pack(tree, names))
    const head = seed.length - 1
    await deliver(
      files,
      [...seed.slice(0, head), { path: 'index', from: index }, ...seed.slice(head)],
      join(directory, '.git'),
    )
    return words
  } finally {
    await rm(made, { recursive: true, force: true, maxRetries: 3 })
  }
}
