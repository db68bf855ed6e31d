/** The tables of what newer clients of generation 2 manage. */
export interface NewerTables {
  /** Other configurations of a project than the usual one. */
  pipeline_definitions: {
    id: string
    project_id: string
    name: string
    description: string
    /** What a client calls the provider of a repository, and the repository: told back as they were given. */
    config_provider: string
    config_repository: string
    config_path: string
    checkout_provider: string
    checkout_repository: string
    created_at: string
  }
  /** What runs a definition; the usual one of a project has the project's id. */
  triggers: {
    id: string
    project_id: string
    definition_id: string
    /** `webhook`, `schedule`, or what a client calls the provider of a repository. */
    source: string
    repository: string
    /** Of repositories: which pushes. */
    preset: string | null
    name: string
    description: string
    event_name: string
    checkout_ref: string
    config_ref: string
    parameters: string | null
    disabled: 0 | 1
    cron: string | null
    /** Of schedules: in whose name; nobody's: the service itself. */
    actor_id: string | null
    sender: string | null
    secret_hash: string | null
    next_at: string | null
    created_at: string
  }
  /** A word that jobs ask for, and agents that serve it have a token of. */
  resource_classes: {
    id: string
    organization_id: string
    name: string
    description: string
    created_at: string
  }
  /** What an organization or a project wants its jobs to say of themselves. */
  identity_claims: {
    subject_id: string
    /** A list, as JSON. */
    audience: string | null
    audience_at: string | null
    ttl: string | null
    ttl_at: string | null
  }
}
