import { hash } from 'node:crypto'
import type { Db, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

const insert = statement((db, row: { hash: string; text: string }) =>
  db
    .insertInto('texts')
    .values({ hash: row.hash, text: row.text })
    .onConflict((conflict) => conflict.column('hash').doNothing()),
)
const find = statementForOne((db, { hash: wanted }: { hash: string }) =>
  db.selectFrom('texts').select('text').where('hash', '=', wanted),
)

/** Keeps a text once, however many rows refer to it: the same configuration makes most pipelines of a project. */
export async function keepText(tx: Tx, text: string): Promise<string> {
  const key = hash('sha256', text)
  await insert(tx, { hash: key, text })
  return key
}

/** The text kept under a hash. */
export async function textOf(db: Db, key: string): Promise<string> {
  const row = await find(db, { hash: key })
  if (!row) throw new Error(`Cannot find the text ${key}`)
  return row.text
}
