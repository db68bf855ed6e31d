import { type Static, Type } from 'typebox'
import { endpoint, Empty, Nullable, OneOf, OpenMap, Time } from '#contract/endpoint.ts'

/** Who somebody is at a provider. */
export const Identity = Type.Object({
  avatar_url: Nullable(Type.String()),
  external_id: Type.Integer(),
  id: Type.Integer(),
  name: Nullable(Type.String()),
  'user?': Type.Optional(Type.Boolean()),
  'authorized?': Type.Optional(Type.Boolean()),
  domain: Type.Optional(Type.String()),
  type: Type.String(),
  provider_id: Type.Optional(Type.String()),
  login: Type.String(),
})

/** The signed-in user; the optional members are those that clients were recorded to read. */
export const Me = Type.Object({
  basic_email_prefs: OneOf('smart', 'none', 'all'),
  login: Type.String(),
  user_key_fingerprint: Nullable(Type.String()),
  days_left_in_trial: Type.Integer(),
  plan: Nullable(Type.String()),
  trial_end: Time,
  admin: Type.Boolean(),
  name: Nullable(Type.String()),
  avatar_url: Nullable(Type.String()),
  created_at: Time,
  selected_email: Type.Optional(Nullable(Type.String())),
  all_emails: Type.Optional(Type.Array(Type.String())),
  sign_in_count: Type.Optional(Type.Integer()),
  analytics_id: Type.Optional(Type.String()),
  pusher_id: Type.Optional(Type.String()),
  gravatar_id: Type.Optional(Nullable(Type.String())),
  parallelism: Type.Optional(Type.Integer()),
  containers: Type.Optional(Type.Integer()),
  student: Type.Optional(Type.Boolean()),
  dev_admin: Type.Optional(Type.Boolean()),
  in_beta_program: Type.Optional(Type.Boolean()),
  enrolled_betas: Type.Optional(Type.Array(Type.String())),
  /** Masked. */
  hosting_api_key: Nullable(Type.String()),
  heroku_api_key: Nullable(Type.String()),
  github_id: Nullable(Type.Integer()),
  github_oauth_scopes: Type.Array(Type.String()),
  bitbucket: Nullable(Type.Integer()),
  bitbucket_authorized: Type.Boolean(),
  identities: Type.Optional(Type.Record(Type.String(), Identity)),
  /** By the address of the repository. */
  projects: Type.Optional(
    Type.Record(Type.String(), Type.Object({ on_dashboard: Type.Boolean(), emails: Type.String() })),
  ),
  num_projects_followed: Type.Integer(),
  organization_prefs: Type.Optional(OpenMap),
})
export type Me = Static<typeof Me>

export const getMe = endpoint({
  method: 'GET',
  path: '/me',
  summary: 'Read the signed-in user',
  access: 'user',
  response: Me,
})

export const setHostingKey = endpoint({
  method: 'POST',
  path: '/user/hosting-key',
  summary: 'Keep the key with which the caller deploys to the hosting service',
  access: 'user',
  body: Type.Object({ apikey: Type.String() }),
  response: Empty,
})
