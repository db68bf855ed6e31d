import * as contract from '#contract/rh/receivers.ts'
import type { App } from '#server/app/app.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import { type HookGlance, hookFor, listHooks, replayHook } from '#server/app/receive-hook.ts'
import {
  addOrganizationReceiver,
  addReceiver,
  listOrganizationReceivers,
  listReceivers,
  type ReceiverRow,
  receiverUrl,
  removeReceiver,
} from '#server/app/receivers.ts'
import type { World } from '#server/app/world.ts'
import type { Serving } from '#server/api/serve.ts'

const receiverView = (world: World, row: ReceiverRow): contract.Receiver => ({
  id: row.id,
  provider: row.provider,
  project_id: row.project_id,
  organization_id: row.organization_id,
  url: receiverUrl(world, row),
  created_at: row.created_at,
})

const hookView = (row: HookGlance): contract.Hook => ({
  id: row.id,
  receiver_id: row.receiver_id,
  project_id: row.project_id,
  delivery: row.delivery,
  event: row.event,
  state: row.state as contract.Hook['state'],
  outcome: row.outcome,
  attempts: row.attempts,
  received_at: row.received_at,
  finished_at: row.finished_at,
})

/** What providers tell: where, with which secret, what it was and what came of it. */
export function serveReceivers({ serve }: Serving, app: App): void {
  const { world } = app
  serve(contract.listReceivers, async ({ caller, params }) => {
    const rows = await listReceivers(world, await projectFor(world, caller, 'configure', params))
    return { items: rows.map((row) => receiverView(world, row)) }
  })
  serve(contract.createReceiver, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'configure', params)
    const { row, secret } = await addReceiver(world, asUser(caller), project)
    return { ...receiverView(world, row), secret }
  })
  serve(contract.listOrganizationReceivers, async ({ caller, params }) => {
    const rows = await listOrganizationReceivers(world, caller, params.organization_id)
    return { items: rows.map((row) => receiverView(world, row)) }
  })
  serve(contract.createOrganizationReceiver, async ({ caller, params }) => {
    const { row, secret } = await addOrganizationReceiver(world, caller, params.organization_id)
    return { ...receiverView(world, row), secret }
  })
  serve(contract.deleteReceiver, async ({ caller, params }) => {
    await removeReceiver(app, caller, params.receiver_id)
    return { message: 'ok' }
  })
  serve(contract.listHooks, async ({ caller, params, query }) => {
    const { items, next } = await listHooks(app, caller, params.receiver_id, query['page-token'])
    return { items: items.map(hookView), next_page_token: next }
  })
  serve(contract.getHook, async ({ caller, params }) => {
    const row = await hookFor(world, caller, params.hook_id)
    return { ...hookView(row), content_type: row.type, body: row.body }
  })
  serve(contract.replayHook, async ({ caller, params }) => {
    await replayHook(world, caller, params.hook_id)
    return { message: 'Accepted.' }
  })
}
