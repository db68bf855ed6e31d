import { runGit } from './git.ts'

/** One answer of `git cat-file --batch`. */
export interface GitObject {
  readonly id: string
  readonly type: string
  readonly content: Buffer
}

/** Reads many objects in one process. In the order of the names; nothing where there is no such object. */
export async function readObjects(
  path: string,
  names: readonly string[],
  maxBytes: number,
  signal?: AbortSignal,
): Promise<readonly (GitObject | undefined)[]> {
  const bad = names.find((name) => name.includes('\n'))
  if (bad !== undefined) throw new TypeError(`Cannot read object ${JSON.stringify(bad)}: its name has two lines`)
  const input = names.map((name) => `${name}\n`).join('')
  const output = await runGit([`--git-dir=${path}`, 'cat-file', '--batch'], { input, signal, maxBytes })
  let at = 0
  return names.map(() => {
    const end = output.indexOf('\n', at)
    const header = /^([0-9a-f]+) (\w+) (\d+)$/.exec(output.toString('latin1', at, end))
    if (!header) {
      at = end + 1
      return undefined
    }
    const [, id = '', type = '', size = '0'] = header
    const content = output.subarray(end + 1, end + 1 + Number(size))
    at = end + 1 + Number(size) + 1
    return { id, type, content }
  })
}
