import type { ProjectId } from '#core/ids.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import { lockProject } from '#server/store/projects.ts'
import {
  deleteWebhook,
  insertWebhook,
  updateWebhook,
  webhookById,
  type WebhookRow,
  webhooksOf,
} from '#server/store/webhooks.ts'
import type { Caller } from './callers.ts'
import { checkUrl } from './guard.ts'
import { projectOfId } from './permissions.ts'
import type { World } from './world.ts'

export type { WebhookRow }

/** What a webhook is made of. */
export interface WebhookForm {
  readonly name: string
  readonly url: string
  readonly verifyTls: boolean
  readonly signingSecret: string
  readonly events: readonly string[]
}

const mostWebhooks = 5

export async function createWebhook(
  world: World,
  caller: Caller,
  project: ProjectId,
  form: WebhookForm,
): Promise<WebhookRow> {
  await projectOfId(world, caller, 'configure', project)
  checkForm(world, form)
  const at = world.now()
  const row: WebhookRow = {
    id: world.newId(),
    project_id: project,
    ...fields(world, form),
    created_at: at,
    updated_at: at,
  } as WebhookRow
  await world.db.transaction().execute(async (tx) => {
    await lockProject(tx, { id: project })
    const present = await webhooksOf(tx, { project })
    if (present.length >= mostWebhooks) {
      throw new Refusal(
        'invalid',
        `Cannot create a webhook as a project has at most ${mostWebhooks}: it has ${present.length}`,
      )
    }
    await insertWebhook(tx, row)
  })
  return row
}

function fields(world: World, form: Partial<WebhookForm>): Partial<WebhookRow> {
  return {
    ...(form.name !== undefined && { name: form.name }),
    ...(form.url !== undefined && { url: form.url }),
    ...(form.verifyTls !== undefined && { verify_tls: form.verifyTls ? (1 as const) : (0 as const) }),
    ...(form.signingSecret !== undefined && { secret: world.seal.close(form.signingSecret) }),
    ...(form.events !== undefined && { events: JSON.stringify([...new Set(form.events)]) }),
  }
}

function checkForm(world: World, form: Partial<WebhookForm>): void {
  if (form.url !== undefined) checkUrl(form.url, world.terms.webhookHosts)
  if (form.events?.length === 0)
    throw new Refusal('invalid', 'Cannot keep a webhook as it must have at least one event: it has none')
}

/** A webhook, if the caller may configure its project. */
export async function webhookFor(world: World, caller: Caller, id: string, entity = 'Webhook'): Promise<WebhookRow> {
  const row = orNotFound(await webhookById(world.db, id), entity)
  await projectOfId(world, caller, 'configure', row.project_id, entity)
  return row
}

export async function listWebhooks(world: World, caller: Caller, project: string): Promise<readonly WebhookRow[]> {
  await projectOfId(world, caller, 'configure', project)
  return webhooksOf(world.db, { project })
}

export async function changeWebhook(
  world: World,
  caller: Caller,
  id: string,
  form: Partial<WebhookForm>,
): Promise<WebhookRow> {
  const row = await webhookFor(world, caller, id)
  checkForm(world, form)
  const changes = { ...fields(world, form), updated_at: world.now() }
  await world.db.transaction().execute((tx) => updateWebhook(tx, id, changes))
  return { ...row, ...changes }
}

export async function removeWebhook(world: World, caller: Caller, id: string): Promise<void> {
  await webhookFor(world, caller, id)
  await world.db.transaction().execute((tx) => deleteWebhook(tx, id))
}
