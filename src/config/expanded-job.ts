import type { BareStep } from './steps/read-step.ts'
import type { MapNode } from './yaml/node.ts'

/** A job with its references resolved: what is left is plain values and built-in steps. */
export interface ExpandedJob {
  readonly map: MapNode
  readonly steps: readonly BareStep[]
  /** Its executor could not be found, so that nothing more can be said about where it runs. */
  readonly isHomeless: boolean
}
