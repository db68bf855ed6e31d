import { sql } from 'kysely'
import type { Tx } from '#server/store/schema.ts'

/** Which pushes providers told of and had an answer: a ref that comes back to a commit is another push than the one that brought it there first. */
export async function up(tx: Tx): Promise<void> {
  await sql
    .raw(
      `create table told_pushes (
        project_id text not null references projects (id), ref text not null, to_revision text not null, from_revision text not null,
        primary key (project_id, ref, to_revision, from_revision)
      )`,
    )
    .execute(tx)
}
