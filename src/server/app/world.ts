import type { Dialect, Provider } from '#core/names.ts'
import type { Instant } from '#kit/brand.ts'
import type { Blobs } from '#server/blobs/blobs.ts'
import type { Db } from '#server/store/schema.ts'
import type { ProviderTerms } from '#server/vcs/providers/terms.ts'
import type { Bell } from './bell.ts'
import type { Resolve } from './guard.ts'
import type { OrbSources } from './orb-sources.ts'
import type { Seal } from './seal.ts'
import type { InsightTerms } from './insight-terms.ts'
import type { StorageTerms } from './storage-terms.ts'

/** How people sign in with an OpenID provider. */
export interface OpenIdTerms {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What the button says. */
  readonly name: string
  /** Whether whoever the provider lets in gets an account here. */
  readonly createsUsers: boolean
}

/** How mail is sent. */
export interface MailTerms {
  /** `smtp://user:password@host:587` or `smtps://...`. */
  readonly url: string
  readonly from: string
  /** Certificates (PEM) that vouch for the server, beside those that this machine trusts. */
  readonly ca?: string | undefined
}

/** What an operator decides, as far as use cases care. */
export interface Terms {
  /** Where people reach this installation, without a slash at the end. */
  readonly baseUrl: string
  readonly dialect: Dialect
  /** The provider under whose code the built-in git host appears. */
  readonly hostedAs: Provider
  /** A lease that is not renewed for this long is lost. */
  readonly leaseMs: number
  /** A claimed job of which the agent says nothing for this long goes back to the queue. */
  readonly acceptMs: number
  /** How long claims, heartbeats and live streams are held open. */
  readonly holdMs: number
  /** How often a job is tried again when its agent was lost. */
  readonly lostJobRetries: number
  readonly jobTimeLimitMs: number
  /** So much of what one step prints is kept. */
  readonly mostLogBytes: number
  /** How long a job that runs with SSH waits while nobody is there, and at most. */
  readonly sshIdleMs: number
  readonly sshLongestMs: number
  /** Hosts (`host` or `host:port`) that may get webhooks although they are on our own network or without TLS. */
  readonly webhookHosts: readonly string[]
  /** How many requests a second, and at once, somebody may make for each kind of resource. None: as many as they like. */
  readonly rate?: { readonly perSecond: number; readonly burst: number } | undefined
  /** The OpenID provider at which people may sign in, where there is one. */
  readonly openid?: OpenIdTerms | undefined
  /** How mail is sent, where it is. */
  readonly mail?: MailTerms | undefined
  /** How long what was sent is kept; 30 days unless decided. */
  readonly deliveryDays?: number
  readonly storage: StorageTerms
  /** The providers, each under its code. */
  readonly providers: Readonly<Record<Provider, ProviderTerms>>
  /** Whether whoever a provider lets in gets an account here. */
  readonly providersCreateUsers: boolean
  /** Whether what a provider lets people do with a repository counts here, for those who signed in there. */
  readonly providerPermissions: boolean
  /** Where commits and configurations of repositories that live elsewhere are read, unless a project decides for itself: by git unless decided. */
  readonly source?: 'git' | 'provider'
  /** How long what providers told is kept. */
  readonly hookDays: number
  readonly insights: InsightTerms
  /** Hosts (`host` or `host:port`) inside our own network from which repositories may be fetched. */
  readonly repositoryHosts: readonly string[]
}

/** Where what goes wrong is told: one line, fields beside it, never a secret. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Everything a use case may touch outside its arguments. Made once in `bin/`, made small in tests. */
export interface World {
  readonly db: Db
  readonly blobs: Blobs
  readonly bell: Bell
  readonly seal: Seal
  /** Signs what we hand out and take back: page tokens, links. */
  readonly signingKey: Uint8Array
  readonly log: Log
  readonly terms: Terms
  /** The folder of git repositories, ours and mirrors. */
  readonly repositories: string
  /** Where an agent keeps its jobs, if that is a folder we can look into; what it exchanges with us lies beside it. */
  readonly foldersOf: (agent: string) => string | undefined
  /** Orbs that configurations may use, beside their own. */
  readonly orbs?: OrbSources
  /** How names are looked up that users give; as the system does it unless told otherwise. */
  readonly resolve?: Resolve
  readonly now: () => Instant
  readonly newId: () => string
}
