import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRefName, parseRef } from '#core/refs.ts'
import { GitFailure, runGit } from './git.ts'

/** Every branch and tag of a repository. */
export interface Refs {
  /** The default branch, whether it exists yet or not. */
  readonly head: string | undefined
  /** By full name (`refs/heads/main`), the object each stands for. Annotated tags are peeled: what they point at is built. */
  readonly refs: ReadonlyMap<string, string>
}

/** Reads all refs in one call. Names that could not be used safely are left out. */
export async function refsOf(path: string, signal?: AbortSignal): Promise<Refs> {
  const [head, lines] = await Promise.all([readHead(path), showRefs(path, signal)])
  const refs = new Map<string, string>()
  for (const line of lines) {
    const [object = '', shown = ''] = line.split(' ')
    // `v1^{}` is what the tag of the line before points at, and comes to stand in its place.
    const name = shown.replace(/\^\{\}$/, '')
    if (parseRef(name)) refs.set(name, object)
  }
  return { head, refs }
}

async function showRefs(path: string, signal?: AbortSignal): Promise<readonly string[]> {
  try {
    const args = [`--git-dir=${path}`, 'show-ref', '--heads', '--tags', '--dereference']
    const output = await runGit(args, { signal, maxBytes: 100_000_000 })
    return output.toString().split('\n')
  } catch (error) {
    // Its way of saying that there are none.
    if (error instanceof GitFailure && error.exitCode === 1 && error.stderr === '') return []
    throw error
  }
}

async function readHead(path: string): Promise<string | undefined> {
  const text = await readFile(join(path, 'HEAD'), 'utf8')
  const name = /^ref: refs\/heads\/(.+)\n$/.exec(text)?.[1] ?? ''
  return isRefName(name) ? name : undefined
}
