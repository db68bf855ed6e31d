import { orNotFound, Refusal } from '#kit/refusal.ts'
import type { UserSshKeyRow } from '#server/store/keys.ts'
import { deleteUserSshKey, insertUserSshKey, userSshKeysOf } from '#server/store/ssh-users.ts'
import { fingerprintsOf } from '#server/vcs/keys.ts'
import { readPublicKey } from '#server/vcs/public-key.ts'
import type { User } from './callers.ts'
import type { World } from './world.ts'

export type { UserSshKeyRow }

const mostKeys = 100

/** The public keys by which a user comes into jobs. */
export const listUserSshKeys = (world: World, user: User): Promise<readonly UserSshKeyRow[]> =>
  userSshKeysOf(world.db, { user: user.id })

/** Adds a public key, as it stands in a `.pub` file. */
export async function addUserSshKey(world: World, user: User, text: string, label?: string): Promise<UserSshKeyRow> {
  const key = readPublicKey(text)
  if (!key)
    throw new Refusal(
      'invalid',
      'Cannot add the key as it must be one public key in the form of OpenSSH (ssh-ed25519, ssh-rsa of at least 2048 bits, ecdsa-sha2-*): it is not',
    )
  const row = {
    id: world.newId(),
    user_id: user.id,
    fingerprint: fingerprintsOf(key.publicKey).sha256,
    public_key: key.publicKey,
    label: label || key.comment || 'key',
    created_at: world.now(),
  }
  await world.db.transaction().execute(async (tx) => {
    if ((await userSshKeysOf(tx, { user: user.id })).length >= mostKeys)
      throw new Refusal('conflict', `Cannot add the key as a user may have at most ${mostKeys}: there are so many`)
    if (!(await insertUserSshKey(tx, row))) throw new Refusal('conflict', 'Cannot add the key: you have it already')
  })
  return row
}

/** Deletes a key of a user: it opens no job from now on. */
export async function removeUserSshKey(world: World, user: User, id: string): Promise<void> {
  const removed = await world.db.transaction().execute((tx) => deleteUserSshKey(tx, user.id, id))
  orNotFound(removed || undefined, 'SSH key')
}
