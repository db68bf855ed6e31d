import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/**
 * Which pushes providers told of and had an answer: a ref that comes back to a commit is another push than the one that brought it there
 * first. And what a chat was told last.
 */
export async function up(tx: Tx): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx)
}

const statements = [
  `create table told_pushes (
    project_id text not null references projects (id), ref text not null, to_revision text not null, from_revision text not null,
    primary key (project_id, ref, to_revision, from_revision)
  )`,
  `create index messages_of_chat on messages (subject, id) where kind = 'chat'`,
]
