import type { Flag } from './flag.ts'

/** Who there is, and how somebody is known. */
export interface PeopleTables {
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
}
