import { hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join, resolve } from 'node:path'
import type { Settings } from '#cli/declared-settings.ts'
import { UnusableSetting } from '#cli/settings.ts'
import { type Instant, instant } from '#kit/brand.ts'
import { uuidv7 } from '#kit/uuid.ts'
import { type Bell, localBell } from '#server/app/bell.ts'
import { sharedBell } from '#server/app/shared-bell.ts'
import { orbAddresses } from '#server/app/orb-addresses.ts'
import { orbFolder } from '#server/app/orb-folder.ts'
import { orbRepository } from '#server/app/orb-repository.ts'
import { type OrbSources, orbSources } from '#server/app/orb-sources.ts'
import { sealWith } from '#server/app/seal.ts'
import type { Terms, World } from '#server/app/world.ts'
import { diskBlobs } from '#server/blobs/disk.ts'
import { openStore } from '#server/store/open.ts'
import { isGitUrl } from '#server/vcs/git-url.ts'
import { openFolder } from './data-folder.ts'
import { ownFile } from './keys.ts'
import { providersOf } from './providers.ts'
import { lineLog } from './log.ts'

/** Somebody else works in a data folder that only one may work in. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

/** The data folder and everything that was opened in it. */
export interface Opened extends AsyncDisposable {
  readonly world: World
  readonly folder: string
}

/** Opens the world that the settings describe. */
export async function openWorld(settings: Settings, foldersOf: World['foldersOf'] = () => undefined): Promise<Opened> {
  // Before anything is touched.
  const terms = termsOf(settings)
  const folder = resolve(settings.data)
  openFolder(folder)
  const url = settings['database-url']
  // Only SQLite needs to be alone: PostgreSQL serves as many servers as there are.
  const lock = url === undefined ? lockFolder(folder) : undefined
  const now = clock()
  const db = await openStore(url ?? join(folder, 'roundhouse.db'), now).catch((error: unknown) => {
    lock?.close()
    throw url === undefined ? error : databaseProblem(error)
  })
  const bell = url === undefined ? alone() : await shared(url)
  const key = Buffer.from(
    ownFile(join(folder, 'secret.key'), () => randomBytes(32).toString('base64')).content,
    'base64',
  )
  const log = lineLog(settings['log-level'])
  const world: World = {
    db,
    blobs: diskBlobs(join(folder, 'blobs')),
    bell: bell.bell,
    seal: sealWith(key),
    signingKey: new Uint8Array(hkdfSync('sha256', key, '', 'roundhouse signing', 32)),
    log,
    terms,
    repositories: join(folder, 'repositories'),
    foldersOf,
    orbs: orbsOf(settings, folder, log),
    now,
    newId: uuidv7,
  }
  return {
    world,
    folder,
    async [Symbol.asyncDispose]() {
      await bell.close()
      await db.destroy()
      lock?.close()
    },
  }
}

/** Orbs of a folder or of a git repository, and those at addresses that the operator allows. */
function orbsOf(settings: Settings, folder: string, log: World['log']): OrbSources {
  const where = settings['orb-registry'] ?? join(folder, 'orbs')
  const warn = (message: string, fields: Readonly<Record<string, unknown>>) => log.warn(message, fields)
  const shelf = isGitUrl(where)
    ? orbRepository({ path: join(folder, 'orb-registry.git'), url: where, warn, now: Date.now })
    : orbFolder(where)
  const hosts = settings['repository-hosts']
  return orbSources(shelf, orbAddresses({ prefixes: settings['orb-urls'], hosts, warn, now: Date.now }))
}

/** The time; its text is made once a millisecond, as a busy server asks more often than that. */
function clock(): () => Instant {
  let at = 0
  let text = instant(new Date(at))
  return () => {
    const now = Date.now()
    if (now !== at) {
      at = now
      text = instant(new Date(now))
    }
    return text
  }
}

const megabyte = 1024 * 1024

export function termsOf(settings: Settings): Terms {
  return {
    baseUrl: settings['base-url'] ?? `http://${settings.listen}`,
    dialect: settings.dialect,
    hostedAs: settings['hosted-as'],
    leaseMs: settings['lease-seconds'] * 1000,
    acceptMs: settings['accept-seconds'] * 1000,
    holdMs: 20_000,
    lostJobRetries: settings['lost-job-retries'],
    sshIdleMs: settings['ssh-idle-minutes'] * 60_000,
    sshLongestMs: settings['ssh-minutes'] * 60_000,
    mostLogBytes: settings['step-log-megabytes'] * megabyte,
    jobTimeLimitMs: settings['job-minutes'] * 60_000,
    webhookHosts: settings['webhook-hosts'],
    rate:
      settings['rate-limit'] === 0 ? undefined : { perSecond: settings['rate-limit'], burst: settings['rate-burst'] },
    openid: openIdOf(settings),
    mail: mailOf(settings),
    deliveryDays: settings['delivery-days'],
    storage: {
      cacheDays: settings['cache-days'],
      workspaceDays: settings['workspace-days'],
      artifactDays: settings['artifact-days'],
      testDays: settings['test-days'],
      mostStoredBytes: settings['archive-megabytes'] * megabyte,
      mostUnpackedBytes: settings['unpacked-megabytes'] * megabyte,
      mostArtifactBytes: settings['artifact-megabytes'] * megabyte,
    },
    repositoryHosts: settings['repository-hosts'],
    providers: providersOf(settings),
    providersCreateUsers: settings['provider-creates-users'],
    providerPermissions: settings['provider-permissions'],
    source: settings['provider-source'],
    hookDays: settings['hook-days'],
    insights: {
      successRate: settings['success-rate'],
      prices: settings.credits,
      keepDays: settings['insights-days'],
      traces:
        settings['otlp-url'] === undefined
          ? undefined
          : { url: settings['otlp-url'], headers: settings['otlp-headers'] ?? {} },
    },
  }
}

function mailOf(settings: Settings): Terms['mail'] {
  const { 'smtp-url': url, 'mail-from': from, 'smtp-ca': ca } = settings
  if (url === undefined) return undefined
  if (from === undefined) throw new UnusableSetting('smtp-url', 'mail-from must be set beside it')
  return { url, from, ...(ca !== undefined && { ca: certificates(ca) }) }
}

function certificates(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UnusableSetting('smtp-ca', `it cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function openIdOf(settings: Settings): Terms['openid'] {
  const { 'openid-issuer': issuer, 'openid-client-id': clientId, 'openid-client-secret': clientSecret } = settings
  if (issuer === undefined) return undefined
  if (clientId === undefined || clientSecret === undefined)
    throw new UnusableSetting('openid-issuer', 'openid-client-id and openid-client-secret must be set beside it')
  return {
    issuer,
    clientId,
    clientSecret,
    name: settings['openid-name'],
    createsUsers: settings['openid-creates-users'],
  }
}

/** What the system or the server said: no such host, nobody there, a wrong password, no such database. What we say ourselves stays as it is. */
function databaseProblem(error: unknown): unknown {
  const { code, message } = error as { readonly code?: unknown; readonly message?: string }
  if (typeof code !== 'string') return error
  return new UnusableSetting('database-url', message === undefined || message === '' ? code : message)
}

interface OwnBell {
  readonly bell: Bell
  close(): Promise<void>
}

const alone = (): OwnBell => ({ bell: localBell(), close: async () => {} })

async function shared(url: string): Promise<OwnBell> {
  const { openWire } = await import('#server/store/postgres-wire.ts')
  return sharedBell((heard) => openWire(url, heard))
}

/** A second server on the same SQLite file would not hear the first one's bell. The lock is the system's: it goes with the process. */
function lockFolder(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'server.lock'), { timeout: 0 })
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
    return lock
  } catch {
    lock.close()
    throw new FolderInUse(`Cannot start: another Roundhouse works in the data folder ${folder}`)
  }
}
