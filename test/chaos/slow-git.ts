import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where to find a `git` that takes the whole of a push and then waits, as it may take long over a large one. */
export interface SlowGit {
  /** A search path on which it comes first. */
  readonly path: string
  /** A file that is there when it has taken a push. */
  readonly taken: string
  /** Lets it go on. */
  release(): void
}

/** Makes a slow git; everything but taking a push is done at once. */
export function slowGit(folder: string): SlowGit {
  const home = join(folder, 'slow-git')
  const programs = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim()
  mkdirSync(home)
  for (const name of readdirSync(programs)) if (name !== 'git') symlinkSync(join(programs, name), join(home, name))
  const [taken, released] = [join(home, 'taken'), join(home, 'released')]
  // git finds itself on the path of its own programs; so this one stands there too. It waits for as long as there is somebody who could release it.
  const script = `#!/bin/sh
case "$*" in
  *receive-pack*refs*) ;;
  *receive-pack*)
    body='${home}/body'.$$
    cat >"$body"
    : >'${taken}'
    while [ -d '${home}' ] && ! [ -e '${released}' ]; do sleep 0.05; done
    exec <"$body" ;;
esac
GIT_EXEC_PATH='${home}' exec '${programs}/git' "$@"
`
  writeFileSync(join(home, 'git'), script)
  chmodSync(join(home, 'git'), 0o755)
  return {
    path: `${home}${delimiter}${process.env['PATH'] ?? ''}`,
    taken,
    release: () => writeFileSync(released, ''),
  }
}
