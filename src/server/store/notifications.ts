import type { Selectable } from 'kysely'
import { literal } from './dialect.ts'
import type { MessageRow } from './messages.ts'
import type { Db, Schema, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

export type ChatRow = Selectable<Schema['chats']>
export type PreferenceRow = Selectable<Schema['notification_preferences']>

export const preferencesOf = statementForOne((db, { user }: { user: string }) =>
  db.selectFrom('notification_preferences').selectAll().where('user_id', '=', user),
)

export async function putPreferences(tx: Tx, row: PreferenceRow): Promise<void> {
  await tx
    .insertInto('notification_preferences')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ email: row.email, browser: row.browser, updated_at: row.updated_at }),
    )
    .execute()
}

/** Everybody, with what they wish to be told of, and what lets them see a project. */
const listeners = (db: Db, project: string, organization: string) =>
  db
    .selectFrom('users')
    .leftJoin('notification_preferences', 'notification_preferences.user_id', 'users.id')
    .leftJoin('members', (join) =>
      join.onRef('members.user_id', '=', 'users.id').on('members.organization_id', '=', organization),
    )
    .leftJoin('grants', (join) => join.onRef('grants.user_id', '=', 'users.id').on('grants.project_id', '=', project))
    .select([
      'users.id as user_id',
      'users.admin',
      'members.role',
      'grants.level',
      'grants.expires_at',
      'notification_preferences.email',
      'notification_preferences.browser',
    ])

/** Those who follow a project, from behind a user on. */
export const followersOf = statement((db, at: { project: string; organization: string; after: string; most: number }) =>
  listeners(db, at.project, at.organization)
    .innerJoin('follows', 'follows.user_id', 'users.id')
    .where('follows.project_id', '=', at.project)
    .where('follows.user_id', '>', at.after)
    .orderBy('follows.user_id')
    .limit(at.most),
)

/** One user, in the same way. */
export const listenerOf = statementForOne((db, at: { project: string; organization: string; user: string }) =>
  listeners(db, at.project, at.organization).where('users.id', '=', at.user),
)

/** What the chat of a project was told last. */
export const lastChatMessage = statementForOne((db, { project }: { project: string }) =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('kind', '=', literal('chat'))
    .where('subject', '=', project)
    .orderBy('id', 'desc')
    .limit(1),
)

export const chatOf = statementForOne((db, { project }: { project: string }) =>
  db.selectFrom('chats').selectAll().where('project_id', '=', project),
)

export async function putChat(tx: Tx, row: ChatRow): Promise<void> {
  await tx
    .insertInto('chats')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet({ url: row.url, wish: row.wish, updated_at: row.updated_at }),
    )
    .execute()
}

export async function deleteChat(tx: Tx, project: string): Promise<boolean> {
  const gone = tx.deleteFrom('chats').where('project_id', '=', project).returning('project_id')
  return (await gone.executeTakeFirst()) !== undefined
}

/** What a user's browser is told, oldest first, from behind a message on. */
export const browserMessagesAfter = statement((db, at: { user: string; after: string; most: number }) =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('kind', '=', literal('browser'))
    .where('subject', '=', at.user)
    .where('id', '>', at.after)
    .orderBy('id')
    .limit(at.most),
)

/** The same newest first, from below a message. */
export function browserMessagesBelow(
  db: Db,
  user: string,
  below: string | undefined,
  most: number,
): Promise<MessageRow[]> {
  let query = db.selectFrom('messages').selectAll().where('kind', '=', literal('browser')).where('subject', '=', user)
  if (below !== undefined) query = query.where('id', '<', below)
  return query.orderBy('id', 'desc').limit(most).execute()
}

/** How the workflows of a name ended on a branch before a pipeline, the latest first; only a few pipelines are looked at. */
export const endingsBefore = statement(
  (db, at: { project: string; branch: string; name: string; number: number; most: number }) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('pipelines')
          .select(['id', 'number', 'actor_id'])
          .where('project_id', '=', at.project)
          .where('branch', '=', at.branch)
          .where('number', '<', at.number)
          .orderBy('number', 'desc')
          .limit(at.most)
          .as('earlier'),
      )
      .innerJoin('workflows', 'workflows.pipeline_id', 'earlier.id')
      .select(['workflows.status', 'workflows.id', 'earlier.actor_id'])
      .where('workflows.name', '=', at.name)
      .where('workflows.stopped_at', 'is not', null)
      .orderBy('earlier.number', 'desc')
      .orderBy('workflows.id', 'desc')
      .limit(5),
)
