import type { Compilable, CompiledQuery } from 'kysely'
import { hasRowLocks } from './dialect.ts'
import type { Db } from './schema.ts'
import type { KeptTable } from './kept-rows.ts'
import { keptRowsOf, shortWayFor } from './short-way.ts'

/** Stands in a query for a value that each call brings. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Values = Readonly<Record<string, unknown>>

/** A query that is ready; its text is for those who want to know how a database goes about it. */
export interface Statement<Args, Answer> {
  (db: Db, args: Args): Promise<Answer>
  readonly textFor: (db: Db) => string
}

/**
 * A query whose text is made once for each database and then only filled in.
 * Building and compiling a query costs several times what SQLite takes to answer it (10,000 against 66,000 point reads a second),
 * so what runs for every job, claim or request is written with this. Arguments must reach the query as plain values,
 * never be looked at while it is built.
 */
export function statement<Args extends Values, Row>(
  build: (db: Db, args: Args) => Compilable<Row>,
): Statement<Args, Row[]> {
  const fill = filler(build)
  const run = async (db: Db, args: Args) => {
    const query = fill(db, args)
    const answer = shortWayFor(db, query)
    return (answer ? answer<Row>(query) : await db.executeQuery<Row>(query)).rows
  }
  return Object.assign(run, { textFor: (db: Db) => fill(db, {} as Args).sql })
}

/** As `statement`, for the one row wanted. */
export function statementForOne<Args extends Values, Row>(
  build: (db: Db, args: Args) => Compilable<Row>,
): Statement<Args, Row | undefined> {
  const all = statement(build)
  const run = async (db: Db, args: Args) => (await all(db, args))[0]
  return Object.assign(run, { textFor: all.textFor })
}

/** As `statementForOne`, for a row of a table that is remembered where one process owns the database. The row must be left as it is. */
export function keptStatementForOne<Args extends Values, Row extends object>(
  table: KeptTable,
  build: (db: Db, args: Args) => Compilable<Row>,
): (db: Db, args: Args) => Promise<Readonly<Row> | undefined> {
  const fill = filler(build)
  const name = `${++keptStatements} `
  return async (db, args) => {
    const query = fill(db, args)
    const answer = shortWayFor(db, query)
    if (!answer) return (await db.executeQuery<Row>(query)).rows[0]
    const read = () => answer<Row>(query).rows[0]
    const kept = keptRowsOf(db)
    return kept ? kept.find(table, name + query.parameters.join(' '), read) : read()
  }
}

let keptStatements = 0

interface Made {
  readonly compiled: CompiledQuery
  readonly names: readonly (string | undefined)[]
}

/** Makes the text once for each database, and then only fills in values. */
function filler<Args extends Values>(build: (db: Db, args: Args) => Compilable<unknown>) {
  const made: { sqlite?: Made; postgres?: Made } = {}
  return (db: Db, args: Args): CompiledQuery => {
    const dialect = hasRowLocks(db) ? 'postgres' : 'sqlite'
    const { compiled, names } = (made[dialect] ??= make(build, db))
    const parameters = names.map((name, i) => (name === undefined ? compiled.parameters[i] : args[name]))
    // Written out, as this runs for every query: spreading costs as much as the rest.
    return { query: compiled.query, queryId: compiled.queryId, sql: compiled.sql, parameters }
  }
}

function make<Args extends Values>(build: (db: Db, args: Args) => Compilable<unknown>, db: Db): Made {
  const slots = new Proxy({} as Args, { get: (_, name) => new Slot(String(name)) })
  const compiled = build(db, slots).compile()
  return { compiled, names: compiled.parameters.map((value) => (value instanceof Slot ? value.name : undefined)) }
}
