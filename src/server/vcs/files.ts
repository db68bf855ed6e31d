import { checkName } from '#core/refs.ts'
import { GitFailure, runGit } from './git.ts'
import { refsOf } from './refs.ts'

/** The plain files at the head of the default branch; a link is none. */
export async function filesOf(path: string): Promise<{ readonly revision: string; readonly files: readonly string[] }> {
  const { head, refs } = await refsOf(path)
  const revision = refs.get(`refs/heads/${head}`)
  if (revision === undefined) return { revision: '', files: [] }
  const output = await runGit([`--git-dir=${path}`, 'ls-tree', '-r', '-z', revision], { maxBytes: 50_000_000 })
  const files = output
    .toString()
    .split('\0')
    .flatMap((line) => /^100(?:644|755) blob [0-9a-f]+\t(.+)$/s.exec(line)?.[1] ?? [])
  return { revision, files }
}

/** The text of a file in a revision, unless it is larger than that. */
export async function fileText(
  path: string,
  revision: string,
  file: string,
  maxBytes: number,
): Promise<string | undefined> {
  checkName('revision', revision)
  try {
    const args = [`--git-dir=${path}`, 'cat-file', 'blob', `${revision}:${file}`]
    return (await runGit(args, { maxBytes })).toString()
  } catch (error) {
    if (error instanceof GitFailure) return undefined
    throw error
  }
}
