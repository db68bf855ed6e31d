import * as contract from '#contract/rh/notifications.ts'
import type { App } from '#server/app/app.ts'
import { asUser } from '#server/app/permissions.ts'
import * as preferences from '#server/app/preferences.ts'
import { goneSignal } from '#server/api/gone.ts'
import type { Serving } from '#server/api/serve.ts'
import { events } from './streams.ts'

const notificationView = ({ id, title, body, created_at }: preferences.MessageRow): contract.Notification => {
  const lines = body.split('\n')
  return { id, title, text: lines.slice(0, -1).join('\n'), url: lines.at(-1) ?? '', created_at }
}

const chatView = ({ host, wish, updatedAt, last }: preferences.ChatAtWork): contract.Chat => ({
  host,
  wish: wish as contract.Chat['wish'],
  updated_at: updatedAt,
  last: last
    ? {
        state: last.state as NonNullable<contract.Chat['last']>['state'],
        attempts: last.attempts,
        created_at: last.created_at,
        next_attempt_at: last.state === 'pending' ? last.next_at : null,
        status_code: last.status_code,
        error: last.error,
      }
    : null,
})

/** How people are told, and what their browsers show. */
export function serveNotifications({ serve }: Serving, app: App): void {
  serve(contract.getPreferences, async ({ caller }) => {
    const user = asUser(caller)
    return { ...(await preferences.wishesOf(app, user.id)), email_works: preferences.mailReaches(app, user) }
  })
  serve(contract.setPreferences, async ({ caller, body }) => preferences.changeWishes(app, asUser(caller), body))
  serve(contract.listNotifications, async ({ caller, query }) => {
    const { items, next } = await preferences.listNotifications(app, asUser(caller), query['page-token'])
    return { items: items.map(notificationView), next_page_token: next }
  })
  serve(contract.watchNotifications, async ({ caller, query, request, reply }) => {
    const behind = request.headers['last-event-id']
    const after = typeof behind === 'string' && behind !== '' ? behind : query.after
    return events(reply, toldEvents(preferences.notificationsAfter(app, asUser(caller), after, goneSignal(reply))))
  })
  serve(contract.getChat, async ({ caller, params }) => {
    const chat = await preferences.chatFor(app, caller, params.id)
    return { chat: chat ? chatView(chat) : null }
  })
  serve(contract.setChat, async ({ caller, params, body }) => ({
    chat: chatView(await preferences.setChat(app, caller, params.id, body.url, body.wish ?? 'smart')),
  }))
  serve(contract.deleteChat, async ({ caller, params }) => {
    await preferences.removeChat(app, caller, params.id)
    return { message: 'ok' }
  })
}

async function* toldEvents(rows: AsyncIterable<preferences.MessageRow | undefined>): AsyncGenerator<string> {
  yield ': watching\n\n'
  for await (const row of rows)
    yield row === undefined
      ? ': still there\n\n'
      : `event: notification\nid: ${row.id}\ndata: ${JSON.stringify(notificationView(row))}\n\n`
}
