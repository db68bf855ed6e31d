import { execFile } from 'node:child_process'

/** git said no, in its own words. */
export class GitSaidNo extends Error {
  override readonly name = 'GitSaidNo'
}

/** How git is called in a person's own checkout: with their settings, as they decide what a file is, but never asking and never running a hook. */
export function gitIn(folder: string, more: Readonly<Record<string, string>> = {}) {
  const env = { ...withoutGit(), GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C', ...more }
  return (...args: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const usual = [
        '-c',
        'core.hooksPath=/dev/null',
        '-c',
        'core.fsmonitor=false',
        '-c',
        'advice.addEmbeddedRepo=false',
      ]
      const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }
      execFile('git', [...usual, ...args], options, (error, stdout, stderr) => {
        if (!error) return resolve(stdout.trimEnd())
        if ((error as NodeJS.ErrnoException).code === 'ENOENT')
          return reject(new GitSaidNo('Cannot run without git: it is not installed'))
        const words = stderr.trim() === '' ? error.message : stderr.trim()
        return reject(new GitSaidNo(`Cannot run git ${args[0] ?? ''} in ${folder}: ${words}`))
      })
    })
}

/** Inside a hook of git its variables would lead elsewhere. */
function withoutGit(): NodeJS.ProcessEnv {
  const kept = ['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM']
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_') || kept.includes(name)),
  )
}
