import { sql } from 'kysely'
import { literal } from './dialect.ts'
import { statement, statementForOne } from './statement.ts'

/** Where the past of a build is looked for: its branch, and there the builds of the same job. */
export type PastOf = {
  readonly project: string
  readonly branch: string
  readonly name: string
  readonly number: number
}

/** The build of the same job before another one on the same branch. */
export const previousBuild = statementForOne((db, at: PastOf) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('branch', '=', at.branch)
    .where('name', '=', at.name)
    .where('number', '<', at.number)
    .orderBy('number', 'desc')
    .limit(1),
)

/** The last build before another one on the same branch, of whatever job. */
export const buildBefore = statementForOne((db, at: { project: string; branch: string; number: number }) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('branch', '=', at.branch)
    .where('number', '<', at.number)
    .orderBy('number', 'desc')
    .limit(1),
)

/** The number of the last build before another one on the same branch, of whatever job. */
export const numberBefore = statementForOne((db, at: { project: string; branch: string; number: number }) =>
  db
    .selectFrom('jobs')
    .select('number')
    .where('project_id', '=', at.project)
    .where('branch', '=', at.branch)
    .where('number', '<', at.number)
    .orderBy('number', 'desc')
    .limit(1),
)

/** The last build before another one on the same branch that succeeded. */
export const previousSuccess = statementForOne((db, at: { project: string; branch: string; number: number }) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('branch', '=', at.branch)
    .where('status', '=', literal('success'))
    .where('no_tests', '=', literal(0))
    .where('number', '<', at.number)
    .orderBy('number', 'desc')
    .limit(1),
)

/** The last build of a project before another one that succeeded, on whatever branch. */
export const previousSuccessAnywhere = statementForOne((db, at: { project: string; number: number }) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', at.project)
    .where('status', '=', literal('success'))
    .where('no_tests', '=', literal(0))
    .where('number', '<', at.number)
    .orderBy('number', 'desc')
    .limit(1),
)

/** The first build of a project that succeeded. */
export const firstSuccess = statementForOne((db, { project }: { project: string }) =>
  db
    .selectFrom('jobs')
    .select('number')
    .where('project_id', '=', project)
    .where('status', '=', literal('success'))
    .where('no_tests', '=', literal(0))
    .where('number', '>', 0)
    .orderBy('number')
    .limit(1),
)

/** The branches of a project that have builds, and the number of the last one of each: steps from branch to branch through the index, never over builds. */
export const builtBranches = statement((db, { project }: { project: string }) =>
  db
    .withRecursive('built(branch)', (cte) =>
      cte
        .selectFrom('jobs')
        .select((eb) => eb.fn.min('branch').as('branch'))
        .where('project_id', '=', project)
        .where('branch', '>', literal(''))
        .unionAll((next) =>
          next
            .selectFrom('built')
            .select((eb) =>
              eb
                .selectFrom('jobs')
                .select((inner) => inner.fn.min('branch').as('branch'))
                .where('project_id', '=', project)
                .whereRef('jobs.branch', '>', 'built.branch')
                .as('branch'),
            )
            .where('built.branch', 'is not', null),
        ),
    )
    .selectFrom('built')
    .select((eb) => [
      'built.branch',
      eb
        .selectFrom('jobs')
        .select((inner) => inner.fn.max('number').as('number'))
        .where('project_id', '=', project)
        .whereRef('jobs.branch', '=', 'built.branch')
        .as('last'),
    ])
    .where('built.branch', 'is not', null)
    .orderBy(sql`last desc`),
)

/** The builds that retry another one, oldest first. */
export const retriesOf = statement((db, { job }: { job: string }) =>
  db.selectFrom('jobs').select(['id', 'number']).where('retry_of', '=', job).orderBy('id'),
)
