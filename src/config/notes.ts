/** Why something that a configuration defines is not in the plan of this pipeline. */
export type Why =
  | { readonly type: 'when' }
  | { readonly type: 'unless' }
  /** It runs at the times of its triggers, and this is none of them. */
  | { readonly type: 'schedule' }
  /** Another workflow's time has come, and only that one runs. */
  | { readonly type: 'not-scheduled' }
  | { readonly type: 'filters' }
  /** Everything it requires is left out itself. */
  | { readonly type: 'needs'; readonly jobs: readonly string[] }

/** A workflow, or one job of it, that does not run. */
export interface LeftOut {
  readonly workflow: string
  readonly job?: string
  readonly line: number
  readonly why: Why
}

/** An orb of the registry that a configuration uses, and what its reference stood for this time. */
export interface UsedOrb {
  readonly reference: string
  readonly resolved: string
}

/** What is worth telling about a compilation besides its result and its problems. */
export interface Notes {
  readonly leftOut: LeftOut[]
  readonly orbs: UsedOrb[]
}
