import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Instant, later } from '#kit/brand.ts'
import { type App, openApp } from '#server/app/app.ts'
import { localBell } from '#server/app/bell.ts'
import { usualInsights } from '#server/app/insight-terms.ts'
import { sealWith } from '#server/app/seal.ts'
import type { Log, Terms, World } from '#server/app/world.ts'
import { diskBlobs } from '#server/blobs/disk.ts'
import { openStore } from '#server/store/open.ts'
import { publicProviders } from '#server/vcs/providers/terms.ts'
import { freshDatabase, withPostgres } from './postgres.ts'
import type { Address } from './postgres-server.ts'
import { scratch } from './scratch.ts'
import { putTables, templateWithTables } from './tables.ts'

/** The databases that everything must work on: `for (const database of databases) describe(database, ...)`. */
export const databases = ['sqlite', 'postgres'] as const

export type Database = (typeof databases)[number]

/** When a small world begins. */
export const noon = '2026-01-02T12:00:00.000Z' as Instant

/** A whole world of its own: a real database, real files, a clock that the test moves. Gone without a trace when it is disposed of. */
export interface SmallWorld extends AsyncDisposable {
  readonly world: World
  readonly app: App
  /** Where the database is: a path or an address, to be opened once more by whoever wants to. */
  readonly where: string
  readonly folder: string
  /** Every topic that was rung, in order. */
  readonly rung: string[]
  /** Every line of the log: `warn A job was lost with its agent`. */
  readonly logged: string[]
  /** Lets time pass. */
  wait(ms: number): void
}

const terms: Terms = {
  baseUrl: 'http://ci.example.com',
  dialect: 'service',
  hostedAs: 'provider-a',
  leaseMs: 60_000,
  acceptMs: 15_000,
  holdMs: 20_000,
  lostJobRetries: 1,
  jobTimeLimitMs: 3_600_000,
  mostLogBytes: 1e9,
  sshIdleMs: 600_000,
  sshLongestMs: 7_200_000,
  webhookHosts: [],
  storage: {
    cacheDays: 15,
    workspaceDays: 15,
    artifactDays: 30,
    testDays: 90,
    mostStoredBytes: 1e9,
    mostUnpackedBytes: 1e10,
    mostArtifactBytes: 1e9,
  },
  repositoryHosts: [],
  providers: publicProviders,
  providersCreateUsers: false,
  providerPermissions: false,
  hookDays: 7,
  insights: usualInsights,
}

/** Opens a small world over an empty database of its own. */
export async function smallWorld(database: Database, differently: Partial<Terms> = {}): Promise<SmallWorld> {
  const folder = await mkdtemp(join(scratch(), 'roundhouse-world-'))
  const place = await emptyDatabase(database, folder)
  let now = noon
  let ids = 0
  const rung: string[] = []
  const logged: string[] = []
  const bell = localBell()
  bell.listenToAll((topic) => rung.push(topic))
  const db = await openStore(place.url, () => now)
  const world: World = {
    db,
    blobs: diskBlobs(join(folder, 'blobs')),
    bell,
    seal: sealWith(new Uint8Array(32).fill(7)),
    signingKey: new Uint8Array(32).fill(9),
    log: logInto(logged),
    terms: { ...terms, ...differently },
    repositories: join(folder, 'repositories'),
    foldersOf: () => undefined,
    now: () => now,
    // Countable, and growing like the real ones.
    newId: () => `00000000-0000-7000-8000-${(++ids).toString(16).padStart(12, '0')}`,
  }
  return {
    world,
    app: openApp(world),
    where: place.url,
    folder,
    rung,
    logged,
    wait: (ms) => void (now = later(now, ms)),
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await place[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const logInto = (lines: string[]): Log => ({
  info: (message) => void lines.push(`info ${message}`),
  warn: (message) => void lines.push(`warn ${message}`),
  error: (message) => void lines.push(`error ${message}`),
})

let server: Promise<Address> | undefined
after(async () => (await server)?.[Symbol.asyncDispose]())

/** Where a database can be opened in which is nothing, not even a table: a file in the folder, or one on the PostgreSQL server of this run. */
export async function bareDatabase(database: Database, folder: string): Promise<Address> {
  if (database === 'sqlite') return fileIn(folder)
  server ??= withPostgres()
  return freshDatabase((await server).url)
}

/** Where a database can be opened that has all its tables, and nothing in them. */
export async function emptyDatabase(database: Database, folder: string): Promise<Address> {
  if (database === 'sqlite') {
    const place = fileIn(folder)
    await putTables(place.url, noon)
    return place
  }
  server ??= withPostgres()
  const { url } = await server
  return freshDatabase(url, await templateWithTables(url, noon))
}

const fileIn = (folder: string): Address => ({
  url: join(folder, 'roundhouse.db'),
  [Symbol.asyncDispose]: async () => {},
})
