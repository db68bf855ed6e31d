import type { ProviderEvent, PullRequest, RefChange } from '#core/provider-event.ts'
import {
  changeOf,
  listAt,
  MalformedHook,
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

const pulls: Readonly<Record<string, { readonly hasNews: boolean }>> = {
  'pullrequest:created': { hasNews: true },
  'pullrequest:updated': { hasNews: true },
  'pullrequest:fulfilled': { hasNews: false },
  'pullrequest:rejected': { hasNews: false },
}

/** Reads a hook of Bitbucket cloud, in which one push tells of all the refs it moved. */
export function readProviderB(event: string, told: Told): ProviderEvent {
  if (event === 'diagnostics:ping') return { type: 'ping' }
  if (event === 'repo:push') {
    const changes = listAt(needMap(told, 'push'), 'changes').map(readChange)
    return { type: 'push', ...about(told), changes }
  }
  const pull = Object.hasOwn(pulls, event) ? pulls[event] : undefined
  if (pull) return { type: 'pull-request', ...about(told), pull: pullOf(needMap(told, 'pullrequest')), ...pull }
  return { type: 'other', why: `events of the kind ${JSON.stringify(event.slice(0, 100))} cause nothing` }
}

function readChange(change: unknown): RefChange {
  const [before, after] = [mapAt(change, 'old'), mapAt(change, 'new')]
  const named = after ?? before
  if (!named)
    throw new MalformedHook('Cannot read the hook as each change must have an old or a new state: one has none')
  const prefix = textOf(named, 'type') === 'branch' ? 'heads' : 'tags'
  const [from, to] = [revisionAt(mapAt(before, 'target'), 'hash'), revisionAt(mapAt(after, 'target'), 'hash')]
  return changeOf(`refs/${prefix}/${needText(named, 'name')}`, from, to)
}

function about(told: Told) {
  const actor = personAt(mapAt(told, 'actor'), 'uuid', 'nickname')
  return { repository: repositoryNamed(needText(needMap(told, 'repository'), 'full_name')), ...(actor && { actor }) }
}

function pullOf(pull: Told): PullRequest {
  const [from, to] = [needMap(pull, 'source'), needMap(pull, 'destination')]
  const [head, base] = [mapAt(from, 'repository'), needMap(to, 'repository')]
  const name = textOf(head, 'full_name')
  const author = personAt(mapAt(pull, 'author'), 'uuid', 'nickname')
  return {
    number: needNumber(pull, 'id'),
    title: textOf(pull, 'title') ?? '',
    url: pageAt(mapAt(pull, 'links', 'html'), 'href'),
    isOpen: textOf(pull, 'state') === 'OPEN',
    head: {
      ...(name !== undefined && { repository: repositoryNamed(name) }),
      branch: needBranch(needMap(from, 'branch'), 'name'),
      revision: needRevision(needMap(from, 'commit'), 'hash'),
    },
    baseBranch: needBranch(needMap(to, 'branch'), 'name'),
    isFork: textOf(head, 'uuid') === undefined || textOf(head, 'uuid') !== textOf(base, 'uuid'),
    ...(author && { author }),
  }
}
