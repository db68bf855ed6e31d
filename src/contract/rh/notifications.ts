import { type Static, Type } from 'typebox'
import { deliveryStates } from './deliveries.ts'
import { endpoint, Events, Message, Nullable, OneOf, Page, Time, Uuid } from '#contract/endpoint.ts'

/** What somebody wants to be told of: of their own pipelines what broke and what is well again; every ended workflow; nothing. */
export const wishes = ['smart', 'all', 'none'] as const
const WishWord = OneOf(...wishes)

/** How the caller is told about workflows of the projects they follow, and of their own. */
export const NotificationPreferences = Type.Object({ email: WishWord, browser: WishWord })
export type NotificationPreferences = Static<typeof NotificationPreferences>

export const getPreferences = endpoint({
  method: 'GET',
  path: '/me/notification-preferences',
  summary: 'Read how the caller is told about ended workflows',
  access: 'user',
  response: Type.Object({
    ...NotificationPreferences.properties,
    /** Whether mail can reach the caller: this installation sends some, and knows an address. */
    email_works: Type.Boolean(),
  }),
})

export const setPreferences = endpoint({
  method: 'PUT',
  path: '/me/notification-preferences',
  summary: 'Decide how the caller is told about ended workflows',
  access: 'user',
  body: Type.Partial(NotificationPreferences),
  response: NotificationPreferences,
})

/** What a browser shows. */
export const Notification = Type.Object({
  id: Uuid,
  title: Type.String(),
  text: Type.String(),
  /** The page of the workflow. */
  url: Type.String(),
  created_at: Time,
})
export type Notification = Static<typeof Notification>

export const listNotifications = endpoint({
  method: 'GET',
  path: '/me/notifications',
  summary: "List what the caller's browser was told, newest first",
  access: 'user',
  query: Type.Object({ 'page-token': Type.Optional(Type.String()) }),
  response: Page(Notification),
})

export const watchNotifications = endpoint({
  method: 'GET',
  path: '/me/notifications/live',
  summary:
    "Be told what the caller's browser should show, by events `notification`; goes on behind `Last-Event-ID` or `after`",
  access: 'user',
  form: 'stream',
  query: Type.Object({ after: Type.Optional(Uuid) }),
  response: Events,
})

/** A chat that hears of a project: `{"text": ...}` is posted to its address. */
export const Chat = Type.Object({
  /** Only the host: whoever knows the whole address may write there. */
  host: Type.String(),
  wish: OneOf('smart', 'all'),
  updated_at: Time,
  /** What came of what it was told last; when it is set, it is told so. */
  last: Nullable(
    Type.Object({
      state: OneOf(...deliveryStates),
      attempts: Type.Integer(),
      created_at: Time,
      /** Where it waits to be sent, again or at all. */
      next_attempt_at: Nullable(Time),
      status_code: Nullable(Type.Integer()),
      error: Nullable(Type.String()),
    }),
  ),
})
export type Chat = Static<typeof Chat>

const ProjectParams = Type.Object({ id: Uuid })

export const getChat = endpoint({
  method: 'GET',
  path: '/project/:id/chat',
  summary: 'Read which chat hears of a project',
  access: 'user',
  params: ProjectParams,
  response: Type.Object({ chat: Nullable(Chat) }),
})

export const setChat = endpoint({
  method: 'PUT',
  path: '/project/:id/chat',
  summary: 'Let a chat hear of a project: of what broke and what is well again (smart), or of every ended workflow',
  access: 'user',
  params: ProjectParams,
  body: Type.Object({
    url: Type.String({ minLength: 1, maxLength: 2000 }),
    wish: Type.Optional(OneOf('smart', 'all')),
  }),
  response: Type.Object({ chat: Chat }),
})

export const deleteChat = endpoint({
  method: 'DELETE',
  path: '/project/:id/chat',
  summary: 'Let no chat hear of a project any more',
  access: 'user',
  params: ProjectParams,
  response: Message,
})
