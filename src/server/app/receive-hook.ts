import { orNotFound, Refusal } from '#kit/refusal.ts'
import { later } from '#kit/brand.ts'
import {
  deleteHooksBefore,
  hookById,
  type HookGlance,
  type HookRow,
  hooksBefore,
  insertHook,
  releaseHooks,
  renewHook,
} from '#server/store/hooks.ts'
import { type HookHeaders, namesOf, proofOf } from '#server/vcs/hooks/verify.ts'
import type { App } from './app.ts'
import type { Caller } from './callers.ts'
import { type PageOf, pageOf } from './lists.ts'
import type { OpenReceiver } from './open-receivers.ts'
import { receiverFor } from './receivers.ts'
import type { World } from './world.ts'

export type { HookGlance, HookRow }

/** A hook as it came in. */
export interface Incoming {
  readonly headers: HookHeaders
  readonly body: Buffer
}

/**
 * Keeps a hook, once it is proven to come from whoever knows the secret; nothing of it is looked at before, and nothing but kept
 * afterwards, so that the provider has its answer at once. Says whether it is news.
 */
export async function receiveHook(
  { world }: App,
  { id: receiver, provider, secret }: OpenReceiver,
  { headers, body }: Incoming,
): Promise<boolean> {
  const proof = proofOf(provider, headers, body, secret, Date.parse(world.now()))
  if (proof !== 'proven') {
    const why =
      proof === 'stale' ? 'it was signed too long ago, or its clock is wrong' : 'its signature or token is wrong'
    world.log.warn(`A hook was refused: ${why}`, { receiver, provider, bytes: body.length })
    throw new Refusal(
      'unauthenticated',
      'Cannot take the hook as it must be signed with the secret, just now: it is not',
    )
  }
  // No JSON has one, and not every database takes it.
  if (body.includes(0)) {
    world.log.warn('A hook was refused: it contains a null character', { receiver, provider })
    throw new Refusal('invalid', 'Cannot take a hook that contains a null character')
  }
  const at = world.now()
  const names = namesOf(provider, headers, body)
  const row = {
    id: world.newId(),
    receiver_id: receiver,
    ...names,
    type: String(headers['content-type'] ?? '').slice(0, 200),
    body: body.toString('utf8'),
    state: 'pending',
    attempts: 0,
    next_at: at,
    taken_until: null,
    project_id: null,
    outcome: null,
    received_at: at,
    finished_at: null,
  }
  const isNews = await world.db.transaction().execute(async (tx) => {
    if (await insertHook(tx, row)) return true
    // Sent again by hand because it failed: then it is worth another try.
    return renewHook(tx, { receiver, delivery: names.delivery }, at, 'failed')
  })
  if (isNews) world.bell.ring('hooks')
  return isNews
}

/** What a receiver got, newest first. */
export async function listHooks(
  app: App,
  caller: Caller,
  receiver: string,
  token: string | undefined,
): Promise<PageOf<HookGlance>> {
  const { id } = await receiverFor(app.world, caller, receiver)
  // Greater than every id: the first page begins at the newest.
  return pageOf(app, `hooks:${id}`, token, (after, most) =>
    hooksBefore(app.world.db, { receiver: id, before: after === '' ? 'g' : after, most }),
  )
}

/** One hook with what it said. */
export async function hookFor(world: World, caller: Caller, id: string): Promise<HookRow> {
  const row = orNotFound(await hookById(world.db, { id }), 'Hook')
  await receiverFor(world, caller, row.receiver_id)
  return row
}

/** Processes a hook once more. What it would cause and is there already is not made again. */
export async function replayHook(world: World, caller: Caller, id: string): Promise<void> {
  await hookFor(world, caller, id)
  await world.db.transaction().execute((tx) => renewHook(tx, { id }, world.now(), 'ended'))
  world.bell.ring('hooks')
}

const dayMs = 24 * 3_600_000

/** Throws away what is older than hooks are kept; true when there may be more. */
export async function tidyHooks(world: World): Promise<boolean> {
  const before = later(world.now(), -world.terms.hookDays * dayMs)
  return (await world.db.transaction().execute((tx) => deleteHooksBefore(tx, before, 500))) === 500
}

/** After the death of the only server: what it was processing is processed at once. */
export const resumeHooks = (world: World): Promise<void> => world.db.transaction().execute(releaseHooks)
