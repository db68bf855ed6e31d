import type { Registry } from './definitions/orbs.ts'

/** What a pipeline brings to its configuration. */
export interface CompileInput {
  /** Pipeline parameters given at the trigger. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>
  /** Pipeline values by name without the `pipeline.` prefix: `id`, `git.branch`, `trigger_source`. */
  readonly values: Readonly<Record<string, string | number | boolean | undefined>>
  /** Runs this job alone, whatever the workflows say: a trigger of generation 1.1. */
  readonly job?: string
  /** Runs this workflow, whose time according to its own `triggers` has come, and no other. */
  readonly scheduled?: string
  /** Orbs of the registry. */
  readonly orbs?: Registry
}
