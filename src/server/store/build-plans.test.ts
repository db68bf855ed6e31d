import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { smallWorld } from '#test/world.ts'
import { newestBy, newestOfBranch, newestOfBranchBy } from './branch-builds.ts'
import {
  builtBranches,
  firstSuccess,
  previousBuild,
  previousSuccess,
  previousSuccessAnywhere,
  retriesOf,
} from './build-past.ts'
import { ownPages, pages } from './builds-of-many.ts'
import { buildsOfBranch, buildsOfProject, numbersBy, numbersOfBranchBy, type Order } from './builds.ts'
import type { Db } from './schema.ts'

interface Query {
  readonly textFor: (db: Db) => string
}

/** Statements for either end of a list, each under a name of its own. */
const either = (lists: Readonly<Record<string, Readonly<Record<Order, Query>>>>): Record<string, Query> =>
  Object.fromEntries(
    Object.entries(lists).flatMap(([name, { asc, desc }]) => [
      [`${name} asc`, asc],
      [`${name} desc`, desc],
    ]),
  )

const { followed, organization, project } = ownPages

/** Every query over builds that a request of generation 1.1 makes. */
const queries: Readonly<Record<string, Query>> = {
  ...either({ 'own followed': followed, 'own organization': organization, 'own project': project }),
  ...either({ buildsOfProject, buildsOfBranch, numbersBy, numbersOfBranchBy }),
  ...either(pages),
  newestBy,
  newestOfBranch,
  newestOfBranchBy,
  builtBranches,
  previousBuild,
  previousSuccess,
  previousSuccessAnywhere,
  firstSuccess,
  retriesOf,
}

/** Those that put in order what they have found: pages of several projects, own builds, branches, and the few retries of a build. */
const sorting = /^(builtBranches|retriesOf|(followed|organization|own \w+) (asc|desc))$/

const tables = /^SCAN (jobs|build_texts|pipelines|workflows|projects|follows|users)\b/

describe('queries over builds', () => {
  test('walk an index on SQLite, never a table, and put nothing in order that is in order', async () => {
    await using it = await smallWorld('sqlite')
    const database = new DatabaseSync(it.where)
    try {
      for (const [name, query] of Object.entries(queries)) {
        const plan = database.prepare(`explain query plan ${query.textFor(it.world.db)}`).all()
        const lines = plan.map((line) => String(line['detail']))
        assert.ok(lines.length > 0 && !lines.some((line) => tables.test(line)), `${name}: ${lines.join('; ')}`)
        const sorts = lines.some((line) => line.includes('TEMP B-TREE'))
        assert.ok(!sorts || sorting.test(name), `${name} sorts: ${lines.join('; ')}`)
      }
    } finally {
      database.close()
    }
  })

  test('find an index for all they look for on PostgreSQL', async () => {
    await using it = await smallWorld('postgres')
    await it.world.db.transaction().execute(async (tx) => {
      // Small tables are read whole whatever there is: without that choice the plan shows whether there is another.
      await sql.raw('set local enable_seqscan = off').execute(tx)
      for (const [name, query] of Object.entries(queries)) {
        const { rows } = await sql
          .raw<Record<string, string>>(`explain (generic_plan) ${query.textFor(it.world.db)}`)
          .execute(tx)
        const lines = rows.map((row) => Object.values(row).join(' ').trim())
        assert.ok(lines.length > 0 && !lines.some((line) => line.includes('Seq Scan')), `${name}: ${lines.join('\n')}`)
      }
    })
  })
})
