import type { ProviderEvent } from '#core/provider-event.ts'
import * as read from './read.ts'
import { about, causesNothing, nameOf, pullOf, pullRequest, push } from './shapes.ts'

/** Actions after which a pull request may hold other code than before; Gitea and Forgejo say `synchronized`. */
const news = new Set(['opened', 'reopened', 'synchronize', 'synchronized'])

/** Reads a hook of GitHub, or of Gitea and Forgejo, which speak alike. */
export function readProviderA(event: string, told: read.Told): ProviderEvent {
  switch (event) {
    case 'ping':
      return { type: 'ping' }
    case 'push': {
      const [from, to] = [read.revisionAt(told, 'before'), read.revisionAt(told, 'after')]
      return push(aboutOf(told), [read.changeOf(read.needText(told, 'ref'), from, to)])
    }
    case 'create':
    case 'delete': {
      // Here a ref has no prefix, except that some versions of Gitea write it.
      const name = read.needText(told, 'ref').replace(/^refs\/(heads|tags)\//, '')
      const ref = `refs/${read.textOf(told, 'ref_type') === 'tag' ? 'tags' : 'heads'}/${name}`
      return push(aboutOf(told), [read.changeOf(ref, undefined, read.revisionAt(told, 'sha'))])
    }
    case 'pull_request':
    // Gitea and Forgejo tell of pushes to a pull request under a name of their own.
    case 'pull_request_sync':
      return pullRequest(
        aboutOf(told),
        pullIn(read.needMap(told, 'pull_request')),
        news.has(read.needText(told, 'action')),
      )
    default:
      return causesNothing(event)
  }
}

const aboutOf = (told: read.Told) =>
  about(read.needMap(told, 'repository'), 'full_name', read.personAt(read.mapAt(told, 'sender'), 'id', 'login'))

function pullIn(pull: read.Told) {
  const [head, base] = [read.needMap(pull, 'head'), read.needMap(pull, 'base')]
  return pullOf(pull, {
    number: read.needNumber(pull, 'number'),
    url: read.pageAt(pull, 'html_url'),
    isOpen: read.textOf(pull, 'state') === 'open',
    from: nameOf(head, 'repo', 'full_name'),
    branch: read.needBranch(head, 'ref'),
    revision: read.needRevision(head, 'sha'),
    baseBranch: read.needBranch(base, 'ref'),
    ids: [read.mapAt(head, 'repo')?.['id'], read.needMap(base, 'repo')['id']],
    author: read.personAt(read.mapAt(pull, 'user'), 'id', 'login'),
  })
}
