import { randomBytes } from 'node:crypto'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import { deleteReceiver, insertReceiver, receiverById, type ReceiverRow, receiversOf } from '#server/store/receivers.ts'
import { signingSecret } from '#server/vcs/hooks/signed-message.ts'
import type { App } from './app.ts'
import type { Caller, User } from './callers.ts'
import { organizationFor } from './organizations.ts'
import { asUser, projectOfId } from './permissions.ts'
import type { World } from './world.ts'

export type { ReceiverRow }

const mostReceivers = 1_000

/** The address that a provider is told. */
export const receiverUrl = ({ terms }: World, { provider, id }: Pick<ReceiverRow, 'provider' | 'id'>): string =>
  `${terms.baseUrl}/hooks/${provider}/${id}`

/** A receiver that was just made, and its secret, which is never shown again. */
export interface NewReceiver {
  readonly row: ReceiverRow
  readonly secret: string
}

/** Makes a receiver for one project. */
export async function addReceiver(world: World, user: User, project: ProjectRow): Promise<NewReceiver> {
  if (project.url === null)
    throw new Refusal(
      'invalid',
      'Cannot receive hooks for this project as its repository must live elsewhere: it is hosted here',
    )
  return add(world, user, {
    provider: project.provider,
    project_id: project.id,
    organization_id: project.organization_id,
  })
}

/** Makes a receiver for all projects of an organization. */
export async function addOrganizationReceiver(world: World, caller: Caller, id: string): Promise<NewReceiver> {
  const organization = await organizationFor(world, caller, 'owner', { id })
  return add(world, asUser(caller), { provider: organization.provider, project_id: null, organization_id: id })
}

/** That of GitLab may be entered as a signing token, which must have this form, as well as a secret token. */
function newSecret(provider: string): string {
  const random = randomBytes(32)
  return provider === 'provider-c' ? signingSecret(random) : `rhw_${random.toString('base64url')}`
}

async function add(
  world: World,
  user: User,
  of: Pick<ReceiverRow, 'provider' | 'project_id' | 'organization_id'>,
): Promise<NewReceiver> {
  const secret = newSecret(of.provider)
  const row = {
    ...of,
    id: world.newId(),
    secret: world.seal.close(secret),
    created_by: user.id,
    created_at: world.now(),
  }
  await world.db.transaction().execute(async (tx) => {
    if ((await receiversOf(tx, { organization: of.organization_id })).length >= mostReceivers)
      throw new Refusal('conflict', `Cannot add a receiver as an organization may have ${mostReceivers}: it has them`)
    await insertReceiver(tx, row)
  })
  return { row, secret }
}

/** The receivers of one project. */
export async function listReceivers(world: World, project: ProjectRow): Promise<readonly ReceiverRow[]> {
  const all = await receiversOf(world.db, { organization: project.organization_id })
  return all.filter((row) => row.project_id === project.id)
}

/** The receivers of an organization and its projects. */
export async function listOrganizationReceivers(world: World, caller: Caller, id: string) {
  await organizationFor(world, caller, 'owner', { id })
  return receiversOf(world.db, { organization: id })
}

/** A receiver, if the caller may configure what it is for. */
export async function receiverFor(world: World, caller: Caller, id: string): Promise<ReceiverRow> {
  const row = orNotFound(await receiverById(world.db, { id }), 'Receiver')
  if (row.project_id !== null) await projectOfId(world, caller, 'configure', row.project_id, 'Receiver')
  else await organizationFor(world, caller, 'owner', { id: row.organization_id })
  return row
}

/** Deletes a receiver with all it got: its secret opens nothing any more. */
export async function removeReceiver(app: App, caller: Caller, id: string): Promise<void> {
  await receiverFor(app.world, caller, id)
  await app.world.db.transaction().execute((tx) => deleteReceiver(tx, id))
  app.receivers.forget()
}
