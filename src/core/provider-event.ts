/*
 * What a provider tells, in our words. Which provider it was, and how it says so, is known only where its hooks are read.
 */

/** Somebody at a provider. */
export interface Person {
  /** Does not change when somebody is renamed. */
  readonly id: string
  readonly login: string
}

/** A repository at a provider. */
export interface RepositoryName {
  /** A person, an organization, or a path of groups. */
  readonly owner: string
  readonly name: string
}

/** A branch or tag that was moved, made (`from` is missing) or deleted (`to` is missing). */
export interface RefChange {
  readonly ref: string
  readonly from?: string
  readonly to?: string
}

/** A pull request, or merge request. */
export interface PullRequest {
  readonly number: number
  readonly title: string
  readonly url: string
  readonly isOpen: boolean
  readonly head: {
    /** Missing where the repository is gone, or hidden from whoever sent the hook. */
    readonly repository?: RepositoryName
    readonly branch: string
    /** Or the beginning of one, of at least twelve digits. */
    readonly revision: string
  }
  readonly baseBranch: string
  /** Whether its code comes out of another repository; so it does where that cannot be told. */
  readonly isFork: boolean
  readonly author?: Person
}

/** One hook. */
export type ProviderEvent =
  | { readonly type: 'ping' }
  | {
      readonly type: 'push'
      readonly repository: RepositoryName
      readonly changes: readonly RefChange[]
      readonly actor?: Person
    }
  | {
      readonly type: 'pull-request'
      readonly repository: RepositoryName
      readonly pull: PullRequest
      /** Whether there may be code in it that nobody saw before: opened, opened again, pushed to. */
      readonly hasNews: boolean
      readonly actor?: Person
    }
  /** Something that causes nothing here. */
  | { readonly type: 'other'; readonly why: string }

/** Who may be asked about trust: everybody whose code or deed it is. */
export const peopleOf = (
  event: Extract<ProviderEvent, { readonly type: 'pull-request' }>,
): readonly (Person | undefined)[] => [event.pull.author, event.actor]
