import { literal } from './dialect.ts'
import type { Db } from './schema.ts'
import { statementForOne } from './statement.ts'

interface Pushed {
  readonly [name: string]: unknown
  readonly project: string
  readonly name: string
  readonly revision: string
}

const onBranch = statementForOne((db, at: Pushed) =>
  db
    .selectFrom('pipelines')
    .select('id')
    .where('project_id', '=', at.project)
    .where('branch', '=', at.name)
    .where('revision', '=', at.revision)
    .where('trigger_type', '=', literal('webhook'))
    .limit(1),
)

const asTag = statementForOne((db, at: Pushed) =>
  db
    .selectFrom('pipelines')
    .select('id')
    .where('project_id', '=', at.project)
    .where('branch', 'is', null)
    .where('tag', '=', at.name)
    .where('revision', '=', at.revision)
    .where('trigger_type', '=', literal('webhook'))
    .limit(1),
)

/** Whether a push of a commit to a branch, or as a tag, has had its pipeline, or asked for none. */
export async function wasPushed(db: Db, at: Pushed & { readonly type: 'branch' | 'tag' }): Promise<boolean> {
  const { project, name, revision } = at
  const found = await (at.type === 'branch' ? onBranch : asTag)(db, { project, name, revision })
  return found !== undefined
}
