import type { Person, ProviderEvent, PullRequest, RefChange, RepositoryName } from '#core/provider-event.ts'
import { mapAt, needText, repositoryNamed, textOf, type Told } from './read.ts'

/*
 * What all providers tell, each under names of its own: their readers say where it stands, here it gets its shape.
 */

/** An event of which we have no use. */
export const causesNothing = (event: string): ProviderEvent => ({
  type: 'other',
  why: `events of the kind ${JSON.stringify(event.slice(0, 100))} cause nothing`,
})

/** What an event is about, and who did it. */
export interface About {
  readonly repository: RepositoryName
  readonly actor?: Person
}

/** The repository by its full name, which stands under `key` in a map. */
export const about = (repository: Told, key: string, actor: Person | undefined): About => ({
  repository: repositoryNamed(needText(repository, key)),
  ...(actor && { actor }),
})

export const push = (of: About, changes: readonly RefChange[]): ProviderEvent => ({ type: 'push', ...of, changes })

export const pullRequest = (of: About, pull: PullRequest, hasNews: boolean): ProviderEvent => ({
  type: 'pull-request',
  ...of,
  pull,
  hasNews,
})

/** A pull request, taken apart. */
export interface PullParts extends Omit<PullRequest, 'head' | 'title' | 'author' | 'isFork'> {
  /** The full name of the repository it comes from; nothing where that is gone. */
  readonly from: string | undefined
  readonly branch: string
  readonly revision: string
  readonly author: Person | undefined
  /** What the two repositories are known by whatever their names: where one is not told, it is a fork. */
  readonly ids: readonly [head: unknown, base: unknown]
}

/** Puts a pull request together; its title is where all of them have it. */
export function pullOf(told: Told, { from, branch, revision, author, ids, ...parts }: PullParts): PullRequest {
  const [head, base] = ids
  return {
    ...parts,
    title: textOf(told, 'title') ?? '',
    head: { ...(from !== undefined && { repository: repositoryNamed(from) }), branch, revision },
    isFork: head === undefined || head === null || head !== base,
    ...(author && { author }),
  }
}

/** The full name of a repository that may be gone, in a map below `told`. */
export const nameOf = (told: Told, key: string, name: string): string | undefined => textOf(mapAt(told, key), name)
