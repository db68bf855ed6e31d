import { join } from 'node:path'
import { instant } from '#kit/brand.ts'
import { uuidv7 } from '#kit/uuid.ts'
import { openApp } from '#server/app/app.ts'
import { localBell } from '#server/app/bell.ts'
import { usualInsights } from '#server/app/insight-terms.ts'
import { sealWith } from '#server/app/seal.ts'
import type { Terms, World } from '#server/app/world.ts'
import { diskBlobs } from '#server/blobs/disk.ts'
import { publicProviders } from '#server/vcs/providers/terms.ts'
import type { SmallWorld } from '#test/world.ts'

const terms: Terms = {
  baseUrl: 'http://127.0.0.1',
  dialect: 'service',
  hostedAs: 'provider-a',
  leaseMs: 600_000,
  acceptMs: 600_000,
  holdMs: 1_000,
  lostJobRetries: 1,
  jobTimeLimitMs: 3_600_000,
  mostLogBytes: 1e9,
  sshIdleMs: 1_000,
  sshLongestMs: 1_000,
  webhookHosts: [],
  storage: {
    cacheDays: 1,
    workspaceDays: 1,
    artifactDays: 1,
    testDays: 1,
    mostStoredBytes: 1,
    mostUnpackedBytes: 1,
    mostArtifactBytes: 1,
  },
  repositoryHosts: [],
  providers: publicProviders,
  providersCreateUsers: false,
  providerPermissions: false,
  hookDays: 7,
  insights: usualInsights,
}

/** A world over a database, whose clock is the machine's or, of a past that was written before, the end of that. */
export const worldIn = (folder: string, db: World['db'], behind = 0): SmallWorld => {
  const world: World = {
    db,
    blobs: diskBlobs(join(folder, 'blobs')),
    bell: localBell(),
    seal: sealWith(Buffer.alloc(32, 1)),
    signingKey: Buffer.alloc(32, 2),
    log: { info: () => {}, warn: () => {}, error: (message, fields) => console.error(message, fields) },
    terms,
    repositories: join(folder, 'repositories'),
    foldersOf: () => undefined,
    now: () => instant(new Date(Date.now() - behind)),
    newId: uuidv7,
  }
  // What helpers of tests need of it.
  return { world, app: openApp(world) } as unknown as SmallWorld
}
