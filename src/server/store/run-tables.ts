import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** What ran: pipelines, workflows, jobs and their steps. */
export interface RunTables {
  texts: { hash: string; text: string }
  pipelines: {
    id: string
    project_id: string
    number: number
    state: string
    errors: string
    trigger_type: string
    actor_id: string | null
    received_at: string
    branch: string | null
    tag: string | null
    revision: string
    parameters: string
    options: string
    /** What the branch pointed at before, of a push to a branch that was there. */
    base_revision: string | null
    config_hash: string | null
    compiled_hash: string | null
    created_at: string
    updated_at: string
    /** Whether its code is the project's own, or that of a `fork`. */
    trust: string
    /** Whether nothing of it runs before somebody approves of its commit. */
    needs_approval: Flag
    /** Empty: the usual one. */
    definition_id: Generated<string>
  }
  /** Of pipelines with a setup phase: the key is sealed, and known by its hash. */
  continuations: {
    pipeline_id: string
    key_hash: string
    key: string
    setup_hash: string
    compiled_hash: string
    created_at: string
    continued_at: string | null
  }
  workflows: {
    id: string
    pipeline_id: string
    project_id: string
    name: string
    status: string
    created_at: string
    stopped_at: string | null
    started_by: string | null
    canceled_by: string | null
    errored_by: string | null
    rerun_of: string | null
    root_id: string
    reruns: number
    /** `setup`, of the workflow that makes a configuration. */
    tag: string | null
    /** A rerun in which `tests run` runs only what failed before. */
    only_failed_tests: Generated<Flag>
  }
  jobs: {
    id: string
    workflow_id: string
    pipeline_id: string
    project_id: string
    position: number
    name: string
    kind: string
    status: string
    number: number | null
    attempt: number
    retry_of: string | null
    reused_from: string | null
    why: string
    needs: string
    contexts: string
    denied: string | null
    body_hash: string | null
    resource_class: string
    /** What an agent must have to run it: `docker`, `arm-docker`. */
    executor: Generated<string>
    /** How many nodes it runs on. */
    parallelism: Generated<number>
    branch: string | null
    created_at: string
    queued_at: string | null
    started_at: string | null
    stopped_at: string | null
    approved_by: string | null
    canceled_by: string | null
    reason: string | null
    /** How many times it has been handed to an agent. */
    fence: number
    /** Of `lock` and `unlock`: the serial group. */
    serial_key: string | null
    /** Why it was never to run (`ci-skip`). */
    dont_build: string | null
    /** 1: its configuration has no test to run (`no_tests` of generation 1.1, where it succeeds). */
    no_tests: Generated<number>
    /** Counts what changes in the record of a build after its end, as a retry does: what was kept of an older edition is void. */
    edition: Generated<number>
  }
  /** Records of ended builds as they are sent, of generation 1.1; the shallow form is what stands before `cut`. */
  build_texts: { job_id: string; stamp: string; edition: number; cut: number; text: string }
  /** Of jobs with several nodes only: how each of them stands. Nobody needs the status of the only node of a job beside that of the job. */
  nodes: {
    job_id: string
    node: number
    status: string
    started_at: string | null
    stopped_at: string | null
    reason: string | null
  }
  steps: {
    job_id: string
    node: number
    position: number
    name: string
    type: string
    command: string
    background: Flag
    status: string
    exit_code: number | null
    started_at: string
    ended_at: string | null
    log_size: number
    log_crc: number
    log_state: string
  }
  events: {
    /** Derived from what happened, so that the same thing cannot be told twice. */
    id: string
    sequence: string
    kind: string
    project_id: string
    pipeline_id: string
    workflow_id: string
    job_id: string | null
    status: string
    created_at: string
    dispatched_at: string | null
  }
}
