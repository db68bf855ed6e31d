import { isRefName, isRevision, parseRef } from '#core/refs.ts'
import type { Refs } from '#server/vcs/refs.ts'
import { ask, askAll, ProviderFailure } from './call.ts'
import type { Speaker } from './contents.ts'
import { repositoryPath } from './repository.ts'
import { at } from './told.ts'
import type { ProviderKind } from './terms.ts'

/** Where the lists are, and where the commit of a branch or a tag is in them: the one that an annotated tag points at. */
interface Places {
  readonly branches: string
  readonly tags: string
  readonly commit: readonly (readonly string[])[]
  readonly head: readonly string[]
}

const places: Readonly<Record<ProviderKind, Places>> = {
  github: {
    branches: '/branches?per_page=100',
    tags: '/tags?per_page=100',
    commit: [['commit', 'sha']],
    head: ['default_branch'],
  },
  gitea: {
    branches: '/branches?limit=50',
    tags: '/tags?limit=50',
    commit: [
      ['commit', 'sha'],
      ['commit', 'id'],
    ],
    head: ['default_branch'],
  },
  bitbucket: {
    branches: '/refs/branches?pagelen=100',
    tags: '/refs/tags?pagelen=100',
    commit: [['target', 'hash']],
    head: ['mainbranch', 'name'],
  },
  gitlab: {
    branches: '/repository/branches?per_page=100',
    tags: '/repository/tags?per_page=100',
    commit: [['commit', 'id']],
    head: ['default_branch'],
  },
}

/** Asks a provider where all branches and tags of a repository are, and, where `usual` is no branch of it, which one is its default. */
export async function refsAt(speaker: Speaker, usual: string, signal?: AbortSignal): Promise<Refs> {
  const { terms, repository, token } = speaker
  const { branches, tags, commit, head } = places[terms.kind]
  const base = repositoryPath(terms, repository)
  const refs = new Map<string, string>()
  for (const [prefix, below] of [
    ['refs/heads/', branches],
    ['refs/tags/', tags],
  ] as const) {
    // A list that is cut off would look as if branches had been deleted.
    for (const told of await askAll(terms, { method: 'GET', path: base + below, token, isWhole: true }, signal)) {
      const [name, revision] = [at(told, 'name'), commit.map((path) => at(told, ...path)).find(Boolean)]
      if (typeof name !== 'string' || typeof revision !== 'string') throw unreadable(terms.kind)
      if (parseRef(prefix + name) && isRevision(revision)) refs.set(prefix + name, revision)
    }
  }
  if (refs.has(`refs/heads/${usual}`)) return { head: usual, refs }
  const { value } = await ask(terms, { method: 'GET', path: base, token }, signal)
  const name = at(value, ...head)
  return { head: typeof name === 'string' && isRefName(name) ? name : undefined, refs }
}

const unreadable = (kind: ProviderKind) =>
  new ProviderFailure(`Cannot read the branches and tags: ${kind} does not answer as documented`)
