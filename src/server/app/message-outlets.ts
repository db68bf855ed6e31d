import { dueMessages, nextMessage } from '#server/store/messages.ts'
import { chatOf } from '#server/store/notifications.ts'
import { userById } from '#server/store/people.ts'
import { usualHeaders } from './deliveries.ts'
import type { Outlet, Way } from './outgoing.ts'
import type { World } from './world.ts'

/** Messages on their way to the chats of projects: `{"text": ...}`, which most of them understand. */
export const chatOutlet: Outlet = {
  table: 'messages',
  async due(world, subject, at) {
    const chat = await chatOf(world.db, { project: subject })
    const url = chat && world.seal.open(chat.url)
    const headers = usualHeaders(world)
    const rows = await dueMessages(world.db, { ...at, kind: 'chat', subject })
    return rows.map(({ id, next_at, attempts, body }) => {
      const way: Way =
        url === undefined
          ? { objection: 'The project has no chat any more' }
          : { post: { url, verifyTls: true, headers, body: JSON.stringify({ text: body }) } }
      return { id, next_at, attempts, way }
    })
  },
  next: (db, subject) => nextMessage(db, { kind: 'chat', subject }),
}

/** Messages on their way to the mailboxes of users. */
export const mailOutlet: Outlet = {
  table: 'messages',
  async due(world, subject, at) {
    const user = await userById(world.db, { id: subject })
    const objection = objectionToMail(world, user?.email)
    const rows = await dueMessages(world.db, { ...at, kind: 'mail', subject })
    const stopAt = `${world.terms.baseUrl}/user/notifications`
    const footer = `You follow this project, or made this pipeline. What is sent to you: ${stopAt}`
    return rows.map(({ id, next_at, attempts, title, body }) => {
      // "-- " is how mail says that what follows is no part of the message.
      const text = `${body}\n\n-- \n${footer}\n`
      const way: Way =
        objection === undefined ? { mail: { id, to: user?.email ?? '', title, text, stopAt } } : { objection }
      return { id, next_at, attempts, way }
    })
  },
  next: (db, subject) => nextMessage(db, { kind: 'mail', subject }),
}

function objectionToMail({ terms }: World, address: string | null | undefined): string | undefined {
  if (!terms.mail) return 'No mail is sent here: smtp-url is not set'
  return address ? undefined : 'The user has no mail address'
}
