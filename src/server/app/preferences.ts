import type { Wish } from '#core/notification.ts'
import { orNotFound } from '#kit/refusal.ts'
import { openLanes } from '#server/store/lanes.ts'
import { insertMessages, type MessageRow } from '#server/store/messages.ts'
import {
  browserMessagesAfter,
  browserMessagesBelow,
  chatOf,
  deleteChat,
  lastChatMessage,
  preferencesOf,
  putChat,
  putPreferences,
} from '#server/store/notifications.ts'
import { slugOf } from './addresses.ts'
import type { App } from './app.ts'
import type { Caller, User } from './callers.ts'
import { checkUrl } from './guard.ts'
import { laneOf } from './lanes.ts'
import type { PageOf } from './lists.ts'
import { usualWishes } from './notify.ts'
import { dueNow } from './outgoing.ts'
import { projectOfId } from './permissions.ts'

export type { MessageRow }

/** How a user is told about ended workflows. */
export interface Wishes {
  readonly email: Wish
  readonly browser: Wish
}

export async function wishesOf({ world }: App, user: string): Promise<Wishes> {
  const row = await preferencesOf(world.db, { user })
  return row ? { email: row.email as Wish, browser: row.browser as Wish } : usualWishes
}

export async function changeWishes(app: App, user: User, changes: Partial<Wishes>): Promise<Wishes> {
  const { world } = app
  const wishes = { ...(await wishesOf(app, user.id)), ...changes }
  const row = { user_id: user.id, ...wishes, updated_at: world.now() }
  await world.db.transaction().execute((tx) => putPreferences(tx, row))
  return wishes
}

/** Whether mail can reach a user. */
export const mailReaches = ({ world }: App, { user }: User): boolean =>
  world.terms.mail !== undefined && user.email !== null

const pageSize = 50

/** What a user's browser was told, newest first. */
export async function listNotifications(app: App, user: User, token: string | undefined): Promise<PageOf<MessageRow>> {
  const list = `notifications:${user.id}`
  const page = app.cursors.read(list, token, {})
  const rows = await browserMessagesBelow(app.world.db, user.id, page?.after, pageSize + 1)
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  return {
    items,
    next: last && rows.length > pageSize ? app.cursors.write(list, { after: last.id, filter: {} }) : null,
  }
}

const sleepMs = 15_000

/** What a user's browser is told from behind a message on, or from now on. Nothing (undefined) now and then, so that a dead connection is noticed. */
export async function* notificationsAfter(
  { world }: App,
  user: User,
  behind: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<MessageRow | undefined> {
  let after = behind ?? (await browserMessagesBelow(world.db, user.id, undefined, 1))[0]?.id ?? ''
  let rung = true
  let wake = () => {}
  const quiet = world.bell.listen(`notifications:${user.id}`, () => {
    rung = true
    wake()
  })
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    while (!signal.aborted) {
      rung = false
      const rows = await browserMessagesAfter(world.db, { user: user.id, after, most: pageSize })
      yield* rows
      after = rows.at(-1)?.id ?? after
      if (rows.length > 0 || rung) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, sleepMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      if (!rung && !signal.aborted) yield undefined
    }
  } finally {
    quiet()
  }
}

/** A chat that hears of a project, and what came of what it was told last. */
export interface ChatAtWork {
  /** Only that may be told of its address. */
  readonly host: string
  readonly wish: Wish
  readonly updatedAt: string
  readonly last: MessageRow | undefined
}

/** The chat that hears of a project, where there is one. */
export async function chatFor({ world }: App, caller: Caller, id: string): Promise<ChatAtWork | undefined> {
  const project = await projectOfId(world, caller, 'configure', id)
  const row = await chatOf(world.db, { project: project.id })
  if (!row) return undefined
  const last = await lastChatMessage(world.db, { project: project.id })
  return { host: new URL(world.seal.open(row.url)).host, wish: row.wish as Wish, updatedAt: row.updated_at, last }
}

const heard: Readonly<Record<'smart' | 'all', string>> = {
  smart: 'what broke, and what is well again',
  all: 'every workflow that ended',
}

/** Lets a chat hear of a project. It is told so at once: whoever set it sees whether that arrives. */
export async function setChat(
  app: App,
  caller: Caller,
  id: string,
  url: string,
  wish: 'smart' | 'all',
): Promise<ChatAtWork> {
  const { world } = app
  const project = await projectOfId(world, caller, 'configure', id)
  const { href, host } = checkUrl(url, world.terms.webhookHosts)
  const at = world.now()
  const row = { project_id: project.id, url: world.seal.close(href), wish, created_at: at, updated_at: at }
  const title = `${slugOf(world, project)}: heard here`
  const body = `This room hears of ${slugOf(world, project)} from now on: ${heard[wish]}.`
  const about = { id: world.newId(), kind: 'chat', subject: project.id, event_id: world.newId(), created_at: at }
  const greeting = { ...about, title, body, ...dueNow(at) }
  await world.db.transaction().execute(async (tx) => {
    await putChat(tx, row)
    await insertMessages(tx, [greeting])
    await openLanes(tx, [laneOf('chat', project.id, href, at)])
  })
  world.bell.ring('deliveries')
  return { host, wish, updatedAt: at, last: greeting }
}

/** Lets no chat hear of a project any more. */
export async function removeChat({ world }: App, caller: Caller, id: string): Promise<void> {
  const project = await projectOfId(world, caller, 'configure', id)
  const gone = await world.db.transaction().execute((tx) => deleteChat(tx, project.id))
  orNotFound(gone || undefined, 'Chat')
}
