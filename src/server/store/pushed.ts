import { literal } from './dialect.ts'
import type { Db, Tx } from './schema.ts'
import { statement, statementForOne } from './statement.ts'

interface Pushed {
  readonly [name: string]: unknown
  readonly project: string
  readonly name: string
  readonly revision: string
}

const onBranch = statement((db, at: Pushed) =>
  db
    .selectFrom('pipelines')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', at.project)
    .where('branch', '=', at.name)
    .where('revision', '=', at.revision)
    .where('trigger_type', '=', literal('webhook'))
    .groupBy('definition_id'),
)

const asTag = statement((db, at: Pushed) =>
  db
    .selectFrom('pipelines')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', at.project)
    .where('branch', 'is', null)
    .where('tag', '=', at.name)
    .where('revision', '=', at.revision)
    .where('trigger_type', '=', literal('webhook'))
    .groupBy('definition_id'),
)

/** How many pushes of a commit to a branch, or as a tag, have had their pipelines, or asked for none. One push makes one of each definition. */
export async function timesPushed(db: Db, at: Pushed & { readonly type: 'branch' | 'tag' }): Promise<number> {
  const { project, name, revision } = at
  const counts = await (at.type === 'branch' ? onBranch : asTag)(db, { project, name, revision })
  return counts.reduce((most, { count }) => Math.max(most, Number(count)), 0)
}

/** From where pushes that hooks told of and that were answered brought a ref to a commit. */
export const toldFrom = statement((db, at: { project: string; ref: string; to: string }) =>
  db
    .selectFrom('told_pushes')
    .select('from_revision as from')
    .where('project_id', '=', at.project)
    .where('ref', '=', at.ref)
    .where('to_revision', '=', at.to),
)

interface Told {
  readonly [name: string]: unknown
  readonly project: string
  readonly ref: string
  readonly from: string
  readonly to: string
}

const insert = statementForOne((db, at: Told) =>
  db
    .insertInto('told_pushes')
    .values({ project_id: at.project, ref: at.ref, to_revision: at.to, from_revision: at.from })
    .onConflict((conflict) => conflict.doNothing()),
)

/** Takes note that a push which a hook told of was answered. */
export async function insertTold(tx: Tx, at: Told): Promise<void> {
  await insert(tx, at)
}
