/** Which pushes a trigger is about, among those that this service hears of. */
export const presets = [
  'all-pushes',
  'only-tags',
  'default-branch-pushes',
  'only-build-prs',
  'pushes-to-merge-queues',
] as const
export type Preset = (typeof presets)[number]

/** Where a provider puts what waits to be merged. */
const mergeQueue = 'gh-readonly-queue/'

/** A ref that was pushed. */
interface Pushed {
  readonly type: 'branch' | 'tag'
  readonly name: string
}

/** What must be known of the project it was pushed to. */
interface Surroundings {
  readonly defaultBranch: string
  /** The branches of which there is an open pull request. */
  readonly branchesInPulls: ReadonlySet<string>
}

/** Whether a push is one that a trigger waits for. */
export function isMeant(preset: Preset, { type, name }: Pushed, { defaultBranch, branchesInPulls }: Surroundings) {
  switch (preset) {
    case 'all-pushes':
      return true
    case 'only-tags':
      return type === 'tag'
    case 'default-branch-pushes':
      return type === 'branch' && name === defaultBranch
    case 'only-build-prs':
      return type === 'branch' && branchesInPulls.has(name)
    case 'pushes-to-merge-queues':
      return type === 'branch' && name.startsWith(mergeQueue)
    default:
      return preset satisfies never
  }
}
