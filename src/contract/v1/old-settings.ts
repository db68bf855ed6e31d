import { Type } from 'typebox'
import { Nullable } from '#contract/endpoint.ts'

/*
 * Settings of services and of the old infrastructure, which clients of generation 1.1 still read: here nobody can set them.
 */

const unset = [
  'campfire_notify_prefs',
  'campfire_room',
  'campfire_subdomain',
  'campfire_token',
  'flowdock_api_token',
  'heroku_deploy_user',
  'hipchat_api_token',
  'hipchat_notify',
  'hipchat_notify_prefs',
  'hipchat_room',
  'hosting_deploy_user',
  'irc_channel',
  'irc_keyword',
  'irc_notify_prefs',
  'irc_password',
  'irc_server',
  'irc_username',
  'jira',
  'slack_api_token',
  'slack_channel',
  'slack_channel_override',
  'slack_integration_access_token',
  'slack_integration_channel',
  'slack_integration_channel_id',
  'slack_integration_notify_prefs',
  'slack_integration_team',
  'slack_integration_team_id',
  'slack_integration_webhook_url',
  'slack_notify_prefs',
  'slack_subdomain',
  'slack_webhook_url',
] as const

const empty = ['setup', 'dependencies', 'post_dependencies', 'test', 'compile', 'extra'] as const

const each = <K extends string, V>(names: readonly K[], value: V): Record<K, V> =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<K, V>

/** What is declared of them. */
export const OldSettings = {
  ...each(unset, Type.Null()),
  ...each(empty, Type.String()),
  aws: Type.Object({ keypair: Nullable(Type.Unknown()) }),
}

/** What is told of them. */
export const oldSettings = { ...each(unset, null), ...each(empty, ''), aws: { keypair: null } }
