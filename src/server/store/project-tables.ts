import type { Flag } from './flag.ts'

/** Projects, and what is set for them. */
export interface ProjectTables {
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
  variables: { project_id: string; name: string; value: string; hint: string; created_at: string }
  contexts: { id: string; organization_id: string; name: string; created_at: string }
  /** Never changed since it was created: null. */
  context_variables: { context_id: string; name: string; value: string; created_at: string; updated_at: string | null }
  context_restrictions: { id: string; context_id: string; type: string; value: string; created_at: string }
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
  /** When repositories that live elsewhere are looked at; a project without a row is not. */
  polls: { project_id: string; every_seconds: number; next_at: string; failures: number }
}
