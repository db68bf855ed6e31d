import type { PlannedJob } from '#core/plan.ts'
import type { ExpandedJob } from '#config/expanded-job.ts'
import type { Node, Place } from '#config/yaml/node.ts'
import type { Requirement } from './requires.ts'

/** One job of one workflow, with nothing left to substitute. */
export interface Invocation {
  /** Unique in its workflow, and of one meaning in the whole configuration. */
  readonly name: string
  /** What others may call it in `requires`: its name as written, and that of its matrix or group. */
  readonly answersTo: readonly string[]
  readonly kind: PlannedJob['kind']
  readonly requires: readonly Requirement[]
  readonly contexts: readonly string[]
  /** As written, for the compiled form. */
  readonly filters: Node | undefined
  /** Its filters let this pipeline in. */
  readonly runs: boolean
  readonly key?: string
  /** Of `release` jobs only: what is released, for the compiled form. */
  readonly planName?: string
  /** Of `build` jobs only. */
  readonly job?: ExpandedJob
  readonly place: Place
}

/** A workflow that is part of this configuration, before its filters are applied. */
export interface ExpandedWorkflow {
  readonly name: string
  readonly invocations: readonly Invocation[]
  readonly maxAutoReruns?: number
  /** As written: the times at which this workflow runs, and then only. */
  readonly triggers: Node | undefined
  readonly place: Place
}

/** A name that only the compiler can require, as nobody can write it. */
export const privateName = (name: string, { line, column }: Place): string => `\0${line}:${column}\0${name}`

/** The part of a name that a person wrote. */
export const publicName = (name: string): string => name.slice(name.lastIndexOf('\0') + 1)
