import type { Person, ProviderEvent } from '#core/provider-event.ts'
import * as read from './read.ts'
import { about, causesNothing, nameOf, pullOf, pullRequest, push } from './shapes.ts'

/** Reads a hook of GitLab, of a project, a group or a whole installation. It has no ping: its test sends an event like any other. */
export function readProviderC(event: string, told: read.Told): ProviderEvent {
  switch (event === 'System Hook' ? systemEvent(told) : event) {
    case 'Push Hook':
    case 'Tag Push Hook': {
      const [from, to] = [read.revisionAt(told, 'before'), read.revisionAt(told, 'after')]
      const change = read.changeOf(read.needText(told, 'ref'), from, to)
      return push(aboutOf(told, read.personAt(told, 'user_id', 'user_username')), [change])
    }
    case 'Merge Request Hook': {
      const request = read.needMap(told, 'object_attributes')
      const actor = read.personAt(read.mapAt(told, 'user'), 'id', 'username')
      return pullRequest(aboutOf(told, actor), pullIn(request), isNews(request))
    }
    default:
      return causesNothing(event)
  }
}

const systemEvents = new Map([
  ['push', 'Push Hook'],
  ['tag_push', 'Tag Push Hook'],
  ['merge_request', 'Merge Request Hook'],
])

/** The hooks of a whole installation say only in their body what they tell of. */
const systemEvent = (told: read.Told): string =>
  systemEvents.get(read.textOf(told, 'event_name') ?? read.textOf(told, 'object_kind') ?? '') ?? ''

const aboutOf = (told: read.Told, actor: Person | undefined) =>
  about(read.needMap(told, 'project'), 'path_with_namespace', actor)

/** An update brings code only where it names the revision before. */
function isNews(request: read.Told): boolean {
  const action = read.textOf(request, 'action')
  if (action === 'update') return read.revisionAt(request, 'oldrev') !== undefined
  return action === 'open' || action === 'reopen'
}

const pullIn = (request: read.Told) =>
  pullOf(request, {
    number: read.needNumber(request, 'iid'),
    url: read.pageAt(request, 'url'),
    isOpen: read.textOf(request, 'state') === 'opened',
    from: nameOf(request, 'source', 'path_with_namespace'),
    branch: read.needBranch(request, 'source_branch'),
    revision: read.needRevision(read.needMap(request, 'last_commit'), 'id'),
    baseBranch: read.needBranch(request, 'target_branch'),
    ids: [request['source_project_id'], request['target_project_id']],
    author: read.personAt(request, 'author_id', 'author_id'),
  })
