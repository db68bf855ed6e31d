/** What comes from providers and goes to them. */
export interface ProviderTables {
  /** Addresses at which a provider tells of pushes, each with a secret of its own; of one project, or of a whole organization. */
  receivers: {
    id: string
    provider: string
    project_id: string | null
    organization_id: string
    /** Sealed. */
    secret: string
    created_by: string
    created_at: string
  }
  /** What providers told, as they told it. */
  hooks: {
    id: string
    receiver_id: string
    /** What the provider calls it: the same one is kept once. */
    delivery: string
    event: string
    /** The content type of the body. */
    type: string
    body: string
    /** `pending`, `done`, `ignored` or `failed`. */
    state: string
    attempts: number
    next_at: string
    taken_until: string | null
    project_id: string | null
    /** What came of it, in words. */
    outcome: string | null
    received_at: string
    finished_at: string | null
  }
  /** Pushes that hooks told of and that had their pipeline, or asked for none; `from_revision` is empty where the ref was new. */
  told_pushes: {
    project_id: string
    ref: string
    to_revision: string
    from_revision: string
  }
  pulls: {
    project_id: string
    number: number
    state: string
    fork: 0 | 1
    branch: string
    revision: string
    base_branch: string
    head_repository: string
    title: string
    url: string
    updated_at: string
  }
  /** What a provider is to be told of a commit; a newer word in the same context takes the place of the older. */
  commit_statuses: {
    project_id: string
    revision: string
    context: string
    provider: string
    status: string
    description: string
    url: string
    /** Counts the words: what was sent of an older one settles nothing. */
    version: number
    /** `pending`, `sent` or `dead`. */
    state: string
    attempts: number
    next_at: string
    taken_until: string | null
    status_code: number | null
    error: string | null
    created_at: string
    updated_at: string
  }
  /** Keys of ours that a provider is to let in (`wanted`), or no longer; until it did, that is pending. */
  key_registrations: {
    project_id: string
    fingerprint: string
    provider: string
    /** `deploy` or `user`. */
    kind: string
    /** With whose token it is registered; null: with that of the project. */
    user_id: string | null
    public_key: string
    wanted: 0 | 1
    /** What the provider calls it, once it has it. */
    remote_id: string | null
    /** Counts the wishes: what came of an older one settles nothing. */
    version: number
    /** `pending`, `done` or `dead`. */
    state: string
    attempts: number
    next_at: string
    taken_until: string | null
    error: string | null
    updated_at: string
  }
  /** Keys of deleted projects that a provider is yet to forget. */
  unwanted_keys: {
    id: string
    provider: string
    /** Of the repository. */
    url: string
    /** `deploy` or `user`. */
    kind: string
    user_id: string | null
    /** That of the project, sealed; null where it had none. */
    token: string | null
    public_key: string
    /** What the provider calls it; null where it never said. */
    remote_id: string | null
    attempts: number
    next_at: string
    taken_until: string | null
  }
  /** Tokens that people gave us at a provider when they signed in there, sealed. */
  provider_tokens: {
    user_id: string
    provider: string
    access_token: string
    refresh_token: string | null
    expires_at: string | null
    updated_at: string
  }
  /** The token with which a project speaks to its provider, sealed. */
  connections: { project_id: string; token: string; updated_at: string }
  /** What a provider lets somebody do with a repository, believed for a while. */
  grants: {
    user_id: string
    project_id: string
    level: string
    expires_at: string
    /** Where it could not be asked: not before this. */
    retry_at: string | null
  }
}
