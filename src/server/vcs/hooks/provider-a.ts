import type { ProviderEvent, PullRequest } from '#core/provider-event.ts'
import {
  changeOf,
  mapAt,
  needBranch,
  needMap,
  needNumber,
  needRevision,
  needText,
  pageAt,
  personAt,
  repositoryNamed,
  revisionAt,
  textOf,
  type Told,
} from './read.ts'

/** Actions after which a pull request may hold other code than before; Gitea and Forgejo say `synchronized`. */
const news = new Set(['opened', 'reopened', 'synchronize', 'synchronized'])

/** Reads a hook of GitHub, or of Gitea and Forgejo, which speak alike. */
export function readProviderA(event: string, told: Told): ProviderEvent {
  switch (event) {
    case 'ping':
      return { type: 'ping' }
    case 'push': {
      const change = changeOf(needText(told, 'ref'), revisionAt(told, 'before'), revisionAt(told, 'after'))
      return { type: 'push', ...about(told), changes: [change] }
    }
    case 'create':
    case 'delete': {
      // Here a ref has no prefix, except that some versions of Gitea write it.
      const name = needText(told, 'ref').replace(/^refs\/(heads|tags)\//, '')
      const ref = `refs/${textOf(told, 'ref_type') === 'tag' ? 'tags' : 'heads'}/${name}`
      return { type: 'push', ...about(told), changes: [changeOf(ref, undefined, revisionAt(told, 'sha'))] }
    }
    case 'pull_request':
    // Gitea and Forgejo tell of pushes to a pull request under a name of their own.
    case 'pull_request_sync':
      return {
        type: 'pull-request',
        ...about(told),
        pull: pullOf(needMap(told, 'pull_request')),
        hasNews: news.has(needText(told, 'action')),
      }
    default:
      return { type: 'other', why: `events of the kind ${JSON.stringify(event.slice(0, 100))} cause nothing` }
  }
}

function about(told: Told) {
  const actor = personAt(mapAt(told, 'sender'), 'id', 'login')
  return { repository: repositoryNamed(needText(needMap(told, 'repository'), 'full_name')), ...(actor && { actor }) }
}

function pullOf(pull: Told): PullRequest {
  const [head, base] = [needMap(pull, 'head'), needMap(pull, 'base')]
  const [from, to] = [mapAt(head, 'repo'), needMap(base, 'repo')]
  const name = textOf(from, 'full_name')
  const author = personAt(mapAt(pull, 'user'), 'id', 'login')
  return {
    number: needNumber(pull, 'number'),
    title: textOf(pull, 'title') ?? '',
    url: pageAt(pull, 'html_url'),
    isOpen: textOf(pull, 'state') === 'open',
    head: {
      ...(name !== undefined && { repository: repositoryNamed(name) }),
      branch: needBranch(head, 'ref'),
      revision: needRevision(head, 'sha'),
    },
    baseBranch: needBranch(base, 'ref'),
    isFork: from?.['id'] === undefined || from['id'] !== to['id'],
    ...(author && { author }),
  }
}
