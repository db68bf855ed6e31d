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

/** Reads a hook of GitLab. It has no ping: its test sends an event like any other. */
export function readProviderC(event: string, told: Told): ProviderEvent {
  switch (event) {
    case 'Push Hook':
    case 'Tag Push Hook': {
      const actor = personAt(told, 'user_id', 'user_username')
      const change = changeOf(needText(told, 'ref'), revisionAt(told, 'before'), revisionAt(told, 'after'))
      return { type: 'push', repository: repositoryIn(told), changes: [change], ...(actor && { actor }) }
    }
    case 'Merge Request Hook': {
      const request = needMap(told, 'object_attributes')
      const actor = personAt(mapAt(told, 'user'), 'id', 'username')
      return {
        type: 'pull-request',
        repository: repositoryIn(told),
        pull: pullOf(request),
        hasNews: isNews(request),
        ...(actor && { actor }),
      }
    }
    default:
      return { type: 'other', why: `events of the kind ${JSON.stringify(event.slice(0, 100))} cause nothing` }
  }
}

const repositoryIn = (told: Told) => repositoryNamed(needText(needMap(told, 'project'), 'path_with_namespace'))

/** An update brings code only where it names the revision before. */
function isNews(request: Told): boolean {
  const action = textOf(request, 'action')
  return (
    action === 'open' || action === 'reopen' || (action === 'update' && revisionAt(request, 'oldrev') !== undefined)
  )
}

function pullOf(request: Told): PullRequest {
  const name = textOf(mapAt(request, 'source'), 'path_with_namespace')
  const author = personAt(request, 'author_id', 'author_id')
  const from = request['source_project_id']
  return {
    number: needNumber(request, 'iid'),
    title: textOf(request, 'title') ?? '',
    url: pageAt(request, 'url'),
    isOpen: textOf(request, 'state') === 'opened',
    head: {
      ...(name !== undefined && { repository: repositoryNamed(name) }),
      branch: needBranch(request, 'source_branch'),
      revision: needRevision(needMap(request, 'last_commit'), 'id'),
    },
    baseBranch: needBranch(request, 'target_branch'),
    isFork: typeof from !== 'number' || from !== request['target_project_id'],
    ...(author && { author }),
  }
}
