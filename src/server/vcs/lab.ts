import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { Refusal } from '#kit/refusal.ts'
import { type GitService, serveGit } from './http-backend.ts'

/*
 * What tests of this room work with: a folder, a person with a git client, and a host for that client to talk to.
 */

const execute = promisify(execFile)

/** A folder that is gone, with all in it, when it is disposed of. */
export async function temporaryFolder() {
  // In memory where the run of tests has found room for it there.
  const path = await mkdtemp(join(process.env['ROUNDHOUSE_TEST_SCRATCH'] ?? tmpdir(), 'vcs-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

const person = { name: 'Ada', email: 'ada@example.com' }

/** Runs git as a person would, in a folder of theirs; gives what it prints. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: person.name,
    GIT_AUTHOR_EMAIL: person.email,
    GIT_AUTHOR_DATE: '2020-01-03T15:08:37-07:00',
    GIT_COMMITTER_NAME: 'Grace',
    GIT_COMMITTER_EMAIL: 'grace@example.com',
    GIT_COMMITTER_DATE: '2020-01-04T00:00:00+05:30',
    // Otherwise each repository begins with samples of hooks, and each commit looks whether there is something to tidy up.
    GIT_TEMPLATE_DIR: '',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'maintenance.auto',
    GIT_CONFIG_VALUE_0: 'false',
  }
  const { stdout } = await execute('git', args, { cwd: folder, env, timeout: 120_000 })
  return stdout.trim()
}

/** Makes a working copy with one commit on `main`, and gives the id of that commit. */
export async function workingCopy(folder: string, message = 'first'): Promise<string> {
  await git(folder, 'init', '--quiet', '--initial-branch=main')
  return commit(folder, message)
}

/** Commits all that lies in a working copy, even if that is nothing new. */
export async function commit(folder: string, message: string): Promise<string> {
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', '--allow-empty', '-m', message)
  return headOf(join(folder, '.git'))
}

/** What `git rev-parse HEAD` says right after a commit, when the branch is a file of its own: a process fewer. */
async function headOf(repository: string): Promise<string> {
  const head = (await readFile(join(repository, 'HEAD'), 'utf8')).trim()
  const branch = /^ref: (.*)/.exec(head)?.[1]
  return branch === undefined ? head : (await readFile(join(repository, branch), 'utf8')).trim()
}

/** A host for the repositories below a folder, at `${url}/name.git`. */
export async function gitHost(
  root: string,
  terms: { readonly mayPush?: boolean; readonly maxPushBytes?: number } = {},
) {
  const { mayPush = true, ...limits } = terms
  const seen: string[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const [, name = '', service = '', query = ''] = /^\/([^/]+)\/([^?]+)\??(.*)$/.exec(request.url ?? '') ?? []
    seen.push(`${request.method} ${service} ${request.headers['content-encoding'] ?? ''}`.trim())
    const closed = new AbortController()
    response.once('close', () => closed.abort())
    const { headers, method = '' } = request
    const asked = {
      repository: join(root, name),
      service: service as GitService,
      query,
      method,
      headers,
      body: request,
    }
    const answer = await serveGit({ ...asked, mayPush, ...limits }, closed.signal)
    response.writeHead(answer.status, answer.headers)
    await pipeline(answer.body, response)
    await answer.done
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) return response.destroy()
      return response.writeHead(error instanceof Refusal ? 403 : 500).end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Every request, in order: `POST git-upload-pack gzip`. */
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
