/*
 * Whose code a pipeline runs, and what it may therefore have. Decided once, when the pipeline is made, and kept with it:
 * nothing that changes later makes code of strangers trusted.
 */

/** Where the code of a pipeline comes from. What cannot be told is a fork. */
export type Source = 'own' | 'fork'

/** What caused a pipeline. */
export type Origin = 'push' | 'pull-request' | 'api' | 'schedule'

/** `trusted`: code that members of the project stand for. `fork`: no secrets, no contexts, no keys, caches only to read. */
export type Trust = 'trusted' | 'fork'

/** All that the decision depends on. */
export interface Circumstances {
  /** Whether whoever caused it may cause builds of the project anyway. */
  readonly actorMayBuild: boolean
  readonly source: Source
  readonly origin: Origin
  readonly buildsForks: boolean
  readonly passesSecretsToForks: boolean
}

/** Whether a pipeline is made, whether it is trusted, and whether somebody must approve of its very commit first. */
export type Verdict =
  | { readonly builds: true; readonly trust: Trust; readonly needsApproval: boolean }
  | { readonly builds: false; readonly why: string }

/** Decides about a pipeline that is about to be made. Deny by default: a fork gets only what a setting gives it. */
export function decideTrust(about: Circumstances): Verdict {
  if (about.source === 'own') return { builds: true, trust: 'trusted', needsApproval: false }
  if (about.origin !== 'pull-request') return { builds: false, why: 'code of a fork is built only in its pull request' }
  if (!about.buildsForks) return { builds: false, why: 'the project does not build pull requests of forks' }
  return {
    builds: true,
    trust: about.passesSecretsToForks ? 'trusted' : 'fork',
    needsApproval: !about.actorMayBuild,
  }
}
