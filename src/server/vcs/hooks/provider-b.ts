import type { ProviderEvent, RefChange } from '#core/provider-event.ts'
import * as read from './read.ts'
import { about, causesNothing, nameOf, pullOf, pullRequest, push } from './shapes.ts'

const pulls: Readonly<Record<string, { readonly hasNews: boolean }>> = {
  'pullrequest:created': { hasNews: true },
  'pullrequest:updated': { hasNews: true },
  'pullrequest:fulfilled': { hasNews: false },
  'pullrequest:rejected': { hasNews: false },
}

/** Reads a hook of Bitbucket cloud, in which one push tells of all the refs it moved. */
export function readProviderB(event: string, told: read.Told): ProviderEvent {
  if (event === 'diagnostics:ping') return { type: 'ping' }
  if (event === 'repo:push')
    return push(aboutOf(told), read.listAt(read.needMap(told, 'push'), 'changes').map(readChange))
  const pull = Object.hasOwn(pulls, event) ? pulls[event] : undefined
  return pull
    ? pullRequest(aboutOf(told), pullIn(read.needMap(told, 'pullrequest')), pull.hasNews)
    : causesNothing(event)
}

function readChange(change: unknown): RefChange {
  const [before, after] = [read.mapAt(change, 'old'), read.mapAt(change, 'new')]
  const named = after ?? before
  if (!named)
    throw new read.MalformedHook('Cannot read the hook as each change must have an old or a new state: one has none')
  const prefix = read.textOf(named, 'type') === 'branch' ? 'heads' : 'tags'
  const [from, to] = [before, after].map((state) => read.revisionAt(read.mapAt(state, 'target'), 'hash'))
  return read.changeOf(`refs/${prefix}/${read.needText(named, 'name')}`, from, to)
}

const aboutOf = (told: read.Told) =>
  about(read.needMap(told, 'repository'), 'full_name', read.personAt(read.mapAt(told, 'actor'), 'uuid', 'nickname'))

function pullIn(pull: read.Told) {
  const [head, base] = [read.needMap(pull, 'source'), read.needMap(pull, 'destination')]
  return pullOf(pull, {
    number: read.needNumber(pull, 'id'),
    url: read.pageAt(read.mapAt(pull, 'links', 'html'), 'href'),
    isOpen: read.textOf(pull, 'state') === 'OPEN',
    from: nameOf(head, 'repository', 'full_name'),
    branch: read.needBranch(read.needMap(head, 'branch'), 'name'),
    revision: read.needRevision(read.needMap(head, 'commit'), 'hash'),
    baseBranch: read.needBranch(read.needMap(base, 'branch'), 'name'),
    ids: [nameOf(head, 'repository', 'uuid'), read.textOf(read.needMap(base, 'repository'), 'uuid')],
    author: read.personAt(read.mapAt(pull, 'author'), 'uuid', 'nickname'),
  })
}
