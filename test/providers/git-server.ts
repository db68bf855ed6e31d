import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, normalize } from 'node:path'
import { promisify } from 'node:util'
import { layRepository } from '#test/api/repository.ts'
import { scratch } from '#test/scratch.ts'

const run = promisify(execFile)

/** Repositories that anybody may read over plain HTTP, as files: what they are called is what they are asked by (`acme/web`). */
export async function gitFolder() {
  const root = await mkdtemp(join(scratch(), 'roundhouse-provider-'))
  const pathOf = (name: string) => join(root, `${name}.git`)
  const state: { password?: string } = {}
  return {
    /** With a password (`user:token`) nobody else may read anything. */
    state,
    /** Where somebody on this machine pushes to. */
    pathOf,
    async create(name: string): Promise<void> {
      // Nothing is tidied up after a push, which would take a process each time.
      await layRepository(pathOf(name), '\tbare = true\n[receive]\n\tautogc = false\n')
    },
    /** Must be called after every push: what is read are files. */
    refresh: (name: string) => run('git', ['--git-dir', pathOf(name), 'update-server-info']),
    /** Throws away what no ref has any more. */
    async forget(name: string): Promise<void> {
      await run('git', ['--git-dir', pathOf(name), 'gc', '--quiet', '--prune=now'])
      await run('git', ['--git-dir', pathOf(name), 'update-server-info'])
    },
    /** Answers a request for a file of a repository; false where it asks for something else. */
    async answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
      const path = new URL(request.url ?? '/', 'http://x').pathname
      if (!/^(\/[\w.-]+){2,}\.git\//.test(path)) return false
      const given = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString()
      if (state.password !== undefined && given !== state.password) {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
        return true
      }
      const file = join(root, normalize(path))
      const found = await stat(file).catch(() => undefined)
      if (found?.isFile() === true) createReadStream(file).pipe(response)
      else response.writeHead(404).end()
      return true
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

export type GitFolder = Awaited<ReturnType<typeof gitFolder>>
