import { execFile } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import type { ProviderKind } from '#server/vcs/providers/terms.ts'

const run = promisify(execFile)

type Ask = (...args: readonly string[]) => Promise<string | undefined>

/** What is asked for in the interface of each provider, with what the question names. */
const questions: Readonly<Record<ProviderKind, readonly (readonly [RegExp, 'file' | 'commit' | 'heads' | 'tags'])[]>> =
  {
    github: [
      [/^\/api\/v3\/repos\/acme\/web\/contents\/(?<path>[^?]+)\?ref=(?<revision>\w+)$/, 'file'],
      [/^\/api\/v3\/repos\/acme\/web\/git\/commits\/(?<revision>\w+)$/, 'commit'],
      [/^\/api\/v3\/repos\/acme\/web\/branches\?/, 'heads'],
      [/^\/api\/v3\/repos\/acme\/web\/tags\?/, 'tags'],
    ],
    gitea: [],
    bitbucket: [
      [/^\/2\.0\/repositories\/acme\/web\/src\/(?<revision>\w+)\/(?<path>.+)$/, 'file'],
      [/^\/2\.0\/repositories\/acme\/web\/commit\/(?<revision>\w+)$/, 'commit'],
      [/^\/2\.0\/repositories\/acme\/web\/refs\/branches\?/, 'heads'],
      [/^\/2\.0\/repositories\/acme\/web\/refs\/tags\?/, 'tags'],
    ],
    gitlab: [
      [/^\/api\/v4\/projects\/acme%2Fweb\/repository\/files\/(?<path>[^/]+)\/raw\?ref=(?<revision>\w+)$/, 'file'],
      [/^\/api\/v4\/projects\/acme%2Fweb\/repository\/commits\/(?<revision>\w+)\?/, 'commit'],
      [/^\/api\/v4\/projects\/acme%2Fweb\/repository\/branches\?/, 'heads'],
      [/^\/api\/v4\/projects\/acme%2Fweb\/repository\/tags\?/, 'tags'],
    ],
  }

const commitViews: Readonly<Record<ProviderKind, (revision: string, message: string) => object>> = {
  github: (sha, message) => ({ sha, message, parents: [] }),
  gitea: (sha, message) => ({ sha, commit: { message }, parents: [] }),
  bitbucket: (hash, message) => ({ hash, message, author: { raw: 'Ada <ada@example.com>' }, parents: [] }),
  gitlab: (id, message) => ({ id, message, parent_ids: [] }),
}

const refViews: Readonly<Record<ProviderKind, (name: string, revision: string) => object>> = {
  github: (name, sha) => ({ name, commit: { sha } }),
  gitea: (name, id) => ({ name, commit: { id } }),
  bitbucket: (name, hash) => ({ name, target: { hash } }),
  gitlab: (name, id) => ({ name, commit: { id } }),
}

/** The interface of a provider over a repository acme/web that really exists; what it was asked for is noted. */
export function repositoryApi(kind: ProviderKind, pathOf: (name: string) => string) {
  const asked: string[] = []
  const git: Ask = async (...args) => {
    const found = await run('git', ['--git-dir', pathOf('acme/web'), ...args]).catch(() => undefined)
    return found?.stdout
  }

  async function answerTo(what: string, { path = '', revision = '' }: Readonly<Record<string, string>>) {
    if (what === 'file') return git('cat-file', 'blob', `${revision}:${decodeURIComponent(path)}`)
    if (what === 'commit') {
      const message = await git('show', '--no-patch', '--format=%B', revision)
      return message === undefined ? undefined : JSON.stringify(commitViews[kind](revision, message))
    }
    // Of an annotated tag providers show the commit that it points at.
    const shown = '%(refname:lstrip=2) %(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)'
    const lines = (await git('for-each-ref', `--format=${shown}`, `refs/${what}/`)) ?? ''
    const items = lines
      .split('\n')
      .filter(Boolean)
      .map((line) => refViews[kind](...(line.split(' ') as [string, string])))
    return JSON.stringify(kind === 'bitbucket' ? { values: items } : items)
  }

  return {
    asked,
    async answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
      for (const [pattern, what] of questions[kind]) {
        const found = pattern.exec(request.url ?? '')
        if (!found) continue
        asked.push(what)
        const text = await answerTo(what, found.groups ?? {})
        const type = what === 'file' ? 'text/plain' : 'application/json'
        response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text)
        return true
      }
      return false
    },
  }
}
