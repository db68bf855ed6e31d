/*
 * What the compiler makes of a configuration: complete, with no reference left to resolve and no condition left to decide.
 * The server turns a plan into workflows and jobs; an agent gets one job of it.
 */

/** A status in which a job can end, as far as those that require it are concerned. */
export type Ending = 'success' | 'failed' | 'canceled' | 'unauthorized' | 'not_run'

/** However a job may end. */
export const anyEnding: readonly Ending[] = ['success', 'failed', 'canceled', 'unauthorized', 'not_run']

export interface Plan {
  /** The version the configuration declares. */
  readonly version: '1.0' | '2' | '2.1'
  /** The configuration makes another configuration (`setup: true`). */
  readonly setup: boolean
  /** Only those that run for this pipeline, none of them empty. */
  readonly workflows: readonly PlannedWorkflow[]
  /** Addresses that get every finished build (`notify.webhooks`). */
  readonly notify: readonly string[]
  /** When workflows that declare `triggers` are to run; such a workflow is in no other plan. */
  readonly schedules?: readonly PlannedSchedule[]
  /** Why the branch is not built, where the configuration's list of branches says so and no filter of a workflow. */
  readonly notBuilt?: NotBuilt
  /** A configuration of version 1.0 that has no test to run. */
  readonly noTests?: true
}

/** The lists of branches by which a configuration keeps one from being built. */
export type NotBuilt = 'branch-blacklisted' | 'branch-not-whitelisted'

/** A workflow that runs at given times, on the branches that its filters let in. */
export interface PlannedSchedule {
  readonly workflow: string
  /** Five fields, UTC. */
  readonly cron: string
  /** Names, or `/patterns/` for whole names. Where both are given, `only` decides. */
  readonly branches: { readonly only?: readonly string[]; readonly ignore?: readonly string[] }
}

export interface PlannedWorkflow {
  readonly name: string
  /** In dependency order: a job stands after everything it needs. */
  readonly jobs: readonly PlannedJob[]
  readonly maxAutoReruns?: number
}

export interface PlannedJob {
  /** Unique in its workflow. */
  readonly name: string
  readonly kind: 'build' | 'approval' | 'no-op' | 'lock' | 'unlock' | 'release'
  readonly needs: readonly { readonly job: string; readonly on: readonly Ending[] }[]
  readonly contexts: readonly string[]
  /** Of `lock` and `unlock`. */
  readonly key?: string
  /** Of `build` jobs only. */
  readonly body?: JobBody
}

/** Everything an agent must know of a job that is not about this one run of it. */
export interface JobBody {
  readonly executor: Executor
  readonly resourceClass?: string
  readonly parallelism: number
  /** In order; a later entry of the same name wins. */
  readonly environment: Environment
  readonly workingDirectory: string
  readonly shell?: string
  readonly steps: readonly Step[]
  readonly cacheRetentionDays?: number
  /** Nothing is restored from caches in this run. */
  readonly withoutCache?: true
}

export type Environment = readonly (readonly [name: string, value: string])[]

export type Executor =
  | { readonly type: 'docker'; readonly images: readonly Image[] }
  | { readonly type: 'machine'; readonly image?: string; readonly dockerLayerCaching: boolean }
  | { readonly type: 'macos'; readonly xcode: string }

export interface Image {
  readonly image: string
  readonly name?: string
  readonly entrypoint?: readonly string[]
  readonly command?: readonly string[]
  readonly user?: string
  readonly environment: Environment
  /** Values may name variables (`$NAME`), which are filled in when the job starts. */
  readonly auth?: { readonly username: string; readonly password: string }
  readonly awsAuth?: Readonly<Record<string, string>>
  readonly gcpAuth?: Readonly<Record<string, string>>
}

export type When = 'on_success' | 'on_fail' | 'always'

export type Step = { readonly name: string; readonly when: When } &
  /** Makes the place of the job ready. Not from a configuration, like the two after it: see `withSpinUp`. */
  (
    | { readonly type: 'spin_up' }
    /** Shows what a service container prints; `service` counts the images of the job from 0, which is no service. */
    | { readonly type: 'service'; readonly service: number; readonly background: true }
    | { readonly type: 'prepare_environment' }
    /** Not from a configuration either: see `withSsh`. */
    | { readonly type: 'enable_ssh' | 'wait_for_ssh' }
    | RunStep
    | {
        readonly type: 'checkout'
        readonly path?: string
        readonly method: 'full' | 'blobless' | 'shallow'
        readonly depth?: number
      }
    | { readonly type: 'save_cache'; readonly key: string; readonly paths: readonly string[] }
    | { readonly type: 'restore_cache'; readonly keys: readonly string[] }
    | { readonly type: 'persist_to_workspace'; readonly root: string; readonly paths: readonly string[] }
    | { readonly type: 'attach_workspace'; readonly at: string }
    | { readonly type: 'store_artifacts'; readonly path: string; readonly destination?: string }
    | { readonly type: 'store_test_results'; readonly path: string }
    | { readonly type: 'add_ssh_keys'; readonly fingerprints: readonly string[] }
    | { readonly type: 'setup_remote_docker'; readonly version?: string; readonly dockerLayerCaching: boolean }
  )

export interface RunStep {
  /** `deploy` runs on the first node only, after every node has succeeded. */
  readonly type: 'run' | 'deploy'
  readonly command: string
  readonly shell?: string
  readonly environment: Environment
  readonly workingDirectory?: string
  readonly background: boolean
  readonly noOutputTimeoutMs: number
  readonly maxAutoReruns?: number
  readonly autoRerunDelayMs?: number
}
