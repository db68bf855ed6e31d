import { type KeyOwner, keyOwner } from '#core/names.ts'
import { Refusal } from '#kit/refusal.ts'
import {
  type CheckoutKeyRow,
  checkoutKeysOf,
  deleteCheckoutKey,
  insertCheckoutKey,
  preferCheckoutKey,
} from '#server/store/keys.ts'
import { userById } from '#server/store/people.ts'
import { lockProject, type ProjectRow } from '#server/store/projects.ts'
import type { Db, Tx } from '#server/store/schema.ts'
import { fingerprintsOf, newKeyPair } from '#server/vcs/keys.ts'
import type { User } from './callers.ts'
import { wishKey } from './key-registrations.ts'
import type { World } from './world.ts'

/** A checkout key as it may be shown. */
export interface CheckoutKey {
  readonly publicKey: string
  readonly owner: KeyOwner
  readonly md5: string
  readonly sha256: string
  /** The owner of a user's key. */
  readonly login: string | null
  readonly preferred: boolean
  readonly createdAt: string
}

/** The keys of a project, oldest first. */
export async function listCheckoutKeys(world: World, project: ProjectRow): Promise<readonly CheckoutKey[]> {
  return Promise.all((await checkoutKeysOf(world.db, { project: project.id })).map((row) => shown(world.db, row)))
}

/** The key of that fingerprint, in either form. */
export async function checkoutKeyOf(world: World, project: ProjectRow, fingerprint: string): Promise<CheckoutKey> {
  return shown(world.db, await find(world.db, project, fingerprint))
}

/** Makes a key pair; from now on it is the one that is used. */
export async function createCheckoutKey(
  world: World,
  project: ProjectRow,
  user: User,
  type: string,
): Promise<CheckoutKey> {
  const owner = keyOwner(type)
  if (!owner)
    throw new Refusal('invalid', 'Cannot make a checkout key as its type must be deploy-key or user-key: it is not')
  const row = newCheckoutKey(world, project, user, owner)
  await world.db.transaction().execute(async (tx) => {
    await lockProject(tx, { id: project.id })
    await addCheckoutKey(tx, row)
    await wishKey(world, tx, project, row, true, user.id)
  })
  world.bell.ring('keys')
  return shown(world.db, row)
}

/** A row with a new key pair, private half sealed. */
export function newCheckoutKey(world: World, project: ProjectRow, user: User, owner: KeyOwner): CheckoutKeyRow {
  const { publicKey, privateKey } = newKeyPair(`roundhouse ${project.organization}/${project.name}`)
  return {
    project_id: project.id,
    fingerprint: fingerprintsOf(publicKey).md5,
    public_key: publicKey,
    private_key: world.seal.close(privateKey),
    type: owner === 'deploy' ? 'deploy-key' : 'user-key',
    preferred: 1,
    user_id: user.id,
    created_at: world.now(),
  }
}

/** Keeps a new key, which is preferred to those there are. */
export async function addCheckoutKey(tx: Tx, row: CheckoutKeyRow): Promise<void> {
  await insertCheckoutKey(tx, row)
  await preferCheckoutKey(tx, row.project_id, row.fingerprint)
}

/** Deletes a key; the newest of those left takes its place where it was the one in use. */
export async function removeCheckoutKey(world: World, project: ProjectRow, fingerprint: string): Promise<void> {
  await world.db.transaction().execute(async (tx) => {
    await lockProject(tx, { id: project.id })
    const row = await find(tx, project, fingerprint)
    await deleteCheckoutKey(tx, project.id, row.fingerprint)
    await wishKey(world, tx, project, row, false)
    const next = (await checkoutKeysOf(tx, { project: project.id })).at(-1)
    if (row.preferred === 1 && next) await preferCheckoutKey(tx, project.id, next.fingerprint)
  })
  world.bell.ring('keys')
}

async function find(db: Db, project: ProjectRow, fingerprint: string): Promise<CheckoutKeyRow> {
  const keys = await checkoutKeysOf(db, { project: project.id })
  const found = keys.find((row) => isFingerprintOf(row.public_key, fingerprint))
  if (!found) throw new Refusal('not-found', 'checkout key not found')
  return found
}

/** Whether a text is a fingerprint of the key: MD5 with colons, also behind `MD5:`, or SHA-256 with or without its padding. */
export function isFingerprintOf(publicKey: string, text: string): boolean {
  const { md5, sha256 } = fingerprintsOf(publicKey)
  // A plus sign in an address may have become a blank on the way.
  const given = text.trim().replaceAll(' ', '+').replace(/=+$/, '')
  return given.replace(/^MD5:/i, '').toLowerCase() === md5 || given === sha256
}

async function shown(db: Db, row: CheckoutKeyRow): Promise<CheckoutKey> {
  const owner = keyOwner(row.type) ?? 'deploy'
  const user = owner === 'user' && row.user_id !== null ? await userById(db, { id: row.user_id }) : undefined
  return {
    publicKey: row.public_key,
    owner,
    ...fingerprintsOf(row.public_key),
    login: user?.login ?? null,
    preferred: row.preferred === 1,
    createdAt: row.created_at,
  }
}
