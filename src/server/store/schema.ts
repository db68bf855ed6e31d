import type { Generated, Kysely, Transaction } from 'kysely'
import type { InsightTables } from './insight-tables.ts'
import type { LogTables } from './log-tables.ts'
import type { NewerTables } from './newer-tables.ts'
import type { TestTables } from './test-tables.ts'
import type { OutgoingSchema } from './outgoing-schema.ts'
import type { ProviderTables } from './provider-tables.ts'
import type { StorageSchema } from './storage-schema.ts'

/*
 * Every column is text, integer, real or bytes: what both databases mean the same way.
 * Ids are UUIDs of version 7, times ISO instants, booleans 0 and 1, lists and maps JSON text.
 */

type Flag = 0 | 1

export interface Schema
  extends OutgoingSchema, StorageSchema, TestTables, LogTables, ProviderTables, InsightTables, NewerTables {
  migrations: { name: string; applied_at: string }
  users: {
    id: string
    login: string
    key: string
    name: string
    avatar_url: string | null
    email: string | null
    admin: Flag
    created_at: string
  }
  organizations: {
    id: string
    provider: string
    name: string
    key: string
    created_at: string
    /** What whoever made it called its provider. */
    named_as: string | null
  }
  members: { organization_id: string; user_id: string; role: string; created_at: string }
  tokens: {
    id: string
    hash: string
    kind: string
    user_id: string | null
    project_id: string | null
    agent_id: string | null
    scope: string
    label: string
    /** The last characters, by which somebody knows their own. */
    hint: string
    created_at: string
    expires_at: string | null
  }
  projects: {
    id: string
    organization_id: string
    provider: string
    organization: string
    name: string
    key: string
    /** Provider, organization and name, in lower case: by what a project is looked for. */
    slug: string
    default_branch: string
    url: string | null
    public: Flag
    last_pipeline: number
    last_job: number
    settings: string
    created_at: string
    /** The code of the built-in host that its organization was made with: its slug is made of ids then. */
    named_as: string | null
    /** When it was deleted, and by whom: nobody sees it any more, and what it had goes bit by bit. */
    gone_at: string | null
    gone_by: string | null
  }
  /** What addresses of orbs begin with that the configurations of an organization may use. */
  orb_prefixes: {
    id: string
    organization_id: string
    name: string
    prefix: string
    auth: string
    created_at: string
  }
  /** Who asked for an account of which organizations and days. */
  usage_exports: {
    id: string
    organization_id: string
    user_id: string
    organizations: string
    from_at: string
    until_at: string
    created_at: string
  }
  follows: { user_id: string; project_id: string; created_at: string }
  refs: { project_id: string; name: string; revision: string; updated_at: string }
  /** Pushes that git is busy with, or was when a server died. */
  open_pushes: {
    id: string
    project_id: string
    actor_id: string | null
    since: string
    /** The ids of the pipelines it made, where its sender waits to hear how they end; nothing while git is busy with it. */
    pipelines: string | null
  }
  revisions: {
    project_id: string
    revision: string
    details: string
    config_path: string | null
    config_hash: string | null
    created_at: string
  }
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
  /** Of a `project` or an `organization`: how many jobs may run at once, and how long each; null: as many and as long as anybody. */
  limits: { subject_id: string; subject: string; most_running: number | null; most_minutes: number | null }
  /** Of jobs with several nodes only: how each of them stands. Nobody needs the status of the only node of a job beside that of the job. */
  nodes: {
    job_id: string
    node: number
    status: string
    started_at: string | null
    stopped_at: string | null
    reason: string | null
  }
  queue: {
    job_id: string
    node: number
    workflow_id: string
    project_id: string
    resource_class: string
    /** Executor and resource class, in one word: whoever has the one and the other may take it. */
    demand: string
    /** The round in which its project has its turn. */
    turn: number
    sequence: string
  }
  leases: {
    job_id: string
    node: number
    workflow_id: string
    project_id: string
    agent_id: string
    fence: number
    token_hash: string
    claimed_at: string
    accepted: Flag
    started: Flag
    cancel: Flag
    expires_at: string
    /** The turn it had in the queue. */
    turn: Generated<number>
  }
  agents: {
    id: string
    name: string
    instance: string | null
    version: string
    slots: number
    resource_classes: string
    created_at: string
    seen_at: string | null
    executors: Generated<string>
    labels: Generated<string>
    /** `working`, `paused` or `draining`. */
    mode: Generated<string>
    /** Works for the projects of this organization only. */
    organization_id: string | null
    /** Serves this class and no other, whatever it says of itself. */
    resource_class_id: Generated<string | null>
    /** Why it takes no jobs for now, in its own words. */
    obstacle: Generated<string | null>
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
  /** Actor null: the service itself. `next_at` null: never. */
  schedules: {
    id: string
    project_id: string
    name: string
    description: string | null
    timetable: string
    parameters: string
    actor_id: string | null
    created_at: string
    updated_at: string
    next_at: string | null
  }
  /** Workflows that run at times, as the configuration of a branch says; those of a branch are replaced together. */
  branch_schedules: {
    id: string
    project_id: string
    branch: string
    workflow: string
    cron: string
    next_at: string | null
  }
  /** A lock that waits for a serial group, or (`held_at`) has it. */
  serial_places: {
    job_id: string
    workflow_id: string
    project_id: string
    organization_id: string
    serial_key: string
    pipeline_number: number
    /** Orders the line. */
    arrived: string
    since: string
    held_at: string | null
  }
  variables: { project_id: string; name: string; value: string; hint: string; created_at: string }
  contexts: { id: string; organization_id: string; name: string; created_at: string }
  /** Never changed since it was created: null. */
  context_variables: { context_id: string; name: string; value: string; created_at: string; updated_at: string | null }
  context_restrictions: { id: string; context_id: string; type: string; value: string; created_at: string }
  passwords: { user_id: string; hash: string; updated_at: string }
  /** Who somebody is at an OpenID provider. */
  identities: { issuer: string; subject: string; user_id: string; created_at: string }
  /** Who did what, from where. No organization: it concerns the installation. */
  audit: {
    id: string
    organization_id: string | null
    actor_id: string | null
    actor: string
    action: string
    target: string
    address: string
    created_at: string
  }
  checkout_keys: {
    project_id: string
    fingerprint: string
    public_key: string
    private_key: string
    type: string
    preferred: Flag
    user_id: string | null
    created_at: string
  }
  /** Keys that jobs get beside the one for their own repository; an empty host name means any. */
  ssh_keys: {
    project_id: string
    hostname: string
    fingerprint: string
    public_key: string
    private_key: string
    created_at: string
  }
  /** Public keys by which people come into jobs. */
  user_ssh_keys: {
    id: string
    user_id: string
    fingerprint: string
    public_key: string
    label: string
    created_at: string
  }
  hosting_keys: { user_id: string; value: string; updated_at: string }
  /** Who may come into a job that runs with SSH. */
  ssh_users: { job_id: string; user_id: string; created_at: string }
  /** When repositories that live elsewhere are looked at; a project without a row is not. */
  polls: { project_id: string; every_seconds: number; next_at: string; failures: number }
}

/** May read, and may be a transaction. */
export type Db = Kysely<Schema>
/** A transaction: functions that write take this, so that nobody can call them outside one. */
export type Tx = Transaction<Schema>
