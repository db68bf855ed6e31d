import { Refusal } from '#kit/refusal.ts'
import {
  deleteHostingKey,
  deleteSshKey,
  hostingKeyOf,
  putHostingKey,
  putSshKey,
  sshKeysOf,
} from '#server/store/keys.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { fingerprintsOf } from '#server/vcs/keys.ts'
import { publicKeyOf } from '#server/vcs/private-key.ts'
import { isFingerprintOf } from './checkout-keys.ts'
import type { User } from './callers.ts'
import { maskOf } from './variables.ts'
import type { World } from './world.ts'

const hostname = /^[A-Za-z0-9_](?:[A-Za-z0-9_.:-]{0,251}[A-Za-z0-9_])?$/
const longestKey = 20_000
const mostKeys = 100

/** A key of a project as it may be shown. */
export interface ShownSshKey {
  readonly hostname: string
  readonly publicKey: string
  readonly fingerprint: string
}

/** A key as a job gets it. */
export interface JobSshKey {
  /** Empty: any. */
  readonly hostname: string
  readonly md5: string
  readonly sha256: string
  readonly privateKey: string
}

/** The keys that the builds of a project get beside the one for their own repository. */
export async function listSshKeys(world: World, project: ProjectRow): Promise<readonly ShownSshKey[]> {
  const rows = await sshKeysOf(world.db, { project: project.id })
  return rows.map((row) => ({ hostname: row.hostname, publicKey: row.public_key, fingerprint: row.fingerprint }))
}

/** The same keys, open. */
export async function openSshKeys(world: World, project: ProjectRow): Promise<readonly JobSshKey[]> {
  const rows = await sshKeysOf(world.db, { project: project.id })
  return rows.map((row) => ({
    hostname: row.hostname,
    ...fingerprintsOf(row.public_key),
    privateKey: world.seal.open(row.private_key),
  }))
}

/** Gives the builds of a project a key for a host, or for any; the key is sealed and never read back. */
export async function addSshKey(world: World, project: ProjectRow, host: string, privateKey: string): Promise<void> {
  checkHost(host)
  const publicKey = privateKey.length > longestKey ? undefined : publicKeyOf(privateKey)
  if (publicKey === undefined) throw new Refusal('invalid', 'it looks like private key is invalid key.  Double check')
  const row = {
    project_id: project.id,
    hostname: host,
    fingerprint: fingerprintsOf(publicKey).md5,
    public_key: publicKey,
    private_key: world.seal.close(`${privateKey.trim().replaceAll('\r\n', '\n')}\n`),
    created_at: world.now(),
  }
  await world.db.transaction().execute(async (tx) => {
    if ((await sshKeysOf(tx, { project: project.id })).length >= mostKeys)
      throw new Refusal('conflict', `Cannot add an SSH key as a project may have at most ${mostKeys}: it has them`)
    await putSshKey(tx, row)
  })
}

/** Takes a key for a host from the builds of a project; one that is not there is gone already. */
export async function removeSshKey(
  world: World,
  project: ProjectRow,
  host: string,
  fingerprint: string,
): Promise<void> {
  await world.db.transaction().execute(async (tx) => {
    for (const row of await sshKeysOf(tx, { project: project.id }))
      if (row.hostname === host && isFingerprintOf(row.public_key, fingerprint))
        await deleteSshKey(tx, project.id, row.hostname, row.fingerprint)
  })
}

/** Keeps, sealed, the key with which a user deploys to the hosting service; an empty one removes it. */
export async function setHostingKey(world: World, user: User, key: string): Promise<void> {
  if (key.length > longestKey) throw new Refusal('invalid', 'Cannot keep the hosting key: it is too long')
  await world.db
    .transaction()
    .execute((tx) =>
      key === '' ? deleteHostingKey(tx, user.id) : putHostingKey(tx, user.id, world.seal.close(key), world.now()),
    )
}

function checkHost(host: string): void {
  if (host !== '' && !hostname.test(host))
    throw new Refusal('invalid', 'Cannot add an SSH key as its hostname must be the name of a host: it is not')
}

/** The key of a user for the hosting service, masked; null where there is none. */
export async function maskedHostingKey(world: World, user: User): Promise<string | null> {
  const kept = await hostingKeyOf(world.db, { user: user.id })
  return kept ? maskOf(world.seal.open(kept.value)) : null
}
