/*
 * Every name that exists in two spellings: ours, and that of the service whose clients people already use.
 * We accept both; where only one can be emitted, the dialect decides.
 */

/** Whose names we emit where only one can be emitted. */
export type Dialect = 'service' | 'circle'

/** A source-control provider, as it is called inside. */
export type Provider = 'provider-a' | 'provider-b' | 'provider-c'

const aliases: Readonly<Record<Provider, readonly string[]>> = {
  'provider-a': ['provider-a', 'github', 'gh'],
  'provider-b': ['provider-b', 'bitbucket', 'bb'],
  'provider-c': ['provider-c', 'gitlab', 'gl'],
}

const providers = new Map(
  Object.entries(aliases).flatMap(([provider, names]) => names.map((name) => [name, provider as Provider] as const)),
)

/** The provider that somebody means by a code, in any of its spellings. */
export const providerCode = (text: string): Provider | undefined => providers.get(text.toLowerCase())

const ownHost: readonly string[] = ['service', 'circleci']

/** Whether a code means the built-in git host, whichever provider's code its projects bear here. */
export const isOwnHost = (text: string): boolean => ownHost.includes(text.toLowerCase())

/** The three forms in which a provider is named: in slugs of answers, in slugs of events and in types, and for people. */
export interface ProviderNames {
  readonly short: string
  readonly long: string
  readonly display: string
}

const sameName = (name: string): ProviderNames => ({ short: name, long: name, display: name })

/** The names we emit that a dialect decides. */
export interface Names {
  readonly providers: Readonly<Record<Provider, ProviderNames>>
  /** The type of a checkout key that belongs to a user. */
  readonly userKey: string
  /** Who delivers webhooks. */
  readonly userAgent: string
  /** What the contexts of commit statuses begin with. */
  readonly statusPrefix: string
  /** The map of `trigger_parameters` that tells about the trigger itself. */
  readonly triggerMap: string
  /** The map of `trigger_parameters` that tells what provider-c sent. */
  readonly providerMap: string
}

/** The names of each dialect. */
export const names: Readonly<Record<Dialect, Names>> = {
  service: {
    providers: {
      'provider-a': sameName('provider-a'),
      'provider-b': sameName('provider-b'),
      'provider-c': sameName('provider-c'),
    },
    userKey: 'vcs-user-key',
    userAgent: 'Service-Webhook/1.0',
    statusPrefix: 'ci/service',
    triggerMap: 'service',
    providerMap: 'provider-c',
  },
  circle: {
    providers: {
      'provider-a': { short: 'gh', long: 'github', display: 'GitHub' },
      'provider-b': { short: 'bb', long: 'bitbucket', display: 'Bitbucket' },
      'provider-c': { short: 'gl', long: 'gitlab', display: 'GitLab' },
    },
    userKey: 'github-user-key',
    userAgent: 'CircleCI-Webhook/1.0',
    statusPrefix: 'ci/circleci',
    triggerMap: 'circleci',
    providerMap: 'gitlab',
  },
}

/** Whose a checkout key is: the project's, or a user's. */
export type KeyOwner = 'deploy' | 'user'

const keyTypes: ReadonlyMap<string, KeyOwner> = new Map([
  ['deploy-key', 'deploy'],
  ['vcs-user-key', 'user'],
  ['github-user-key', 'user'],
  ['user-key', 'user'],
])

/** Whose key somebody means by a type, in any of its spellings. */
export const keyOwner = (type: string): KeyOwner | undefined => keyTypes.get(type)

/** The type of a checkout key as it is emitted. */
export const keyType = (owner: KeyOwner, dialect: Dialect): string =>
  owner === 'deploy' ? 'deploy-key' : names[dialect].userKey

/** Headers that may carry a token, lower case as Node gives them. */
export const tokenHeaders = ['service-token', 'circle-token'] as const

/** Query parameters that may carry a token. */
export const tokenQueries = ['service-token', 'circle-token'] as const

/** Headers that name the type of a delivered event: all of them are sent. */
export const eventTypeHeaders = ['Service-Event-Type', 'Circleci-Event-Type'] as const

/** Headers that carry the signature of a delivered event: all of them are sent. */
export const signatureHeaders = ['Service-Signature', 'Circleci-Signature'] as const

/** How the built-in variables of a job begin: each is set under both. */
export const variablePrefixes = ['SERVICE_', 'CIRCLE_'] as const

/** How the claims that a job makes about itself begin, beside those of the standard: each is made under both. */
export const claimPrefixes = ['oidc.service/', 'oidc.circleci.com/'] as const

/** Where a configuration may lie in a repository; the first that exists counts. The last two are of version 1.0. */
export const configPaths = ['.service/config.yml', '.circleci/config.yml', 'service.yml', 'circle.yml'] as const

/** Who acts where nobody does: schedules, and what the service finds by itself. */
export const systemActor = {
  id: 'd9b3fcaa-6032-405a-8c75-40079ce33c3e',
  login: 'system-actor',
  name: 'Scheduled',
} as const
