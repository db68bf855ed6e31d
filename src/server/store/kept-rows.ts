/** Tables that are read for every request and seldom written: where one process owns the file, what was read stays good until it writes. */
const keeping = ['projects', 'refs'] as const

export type KeptTable = (typeof keeping)[number]

/** More rows of a table than this are not kept at once. */
const mostRows = 2_000

export type KeptRows = ReturnType<typeof keptRows>

/**
 * Rows that were read and have not been written since. While something is written that is not committed, `isSettled` says no: what is
 * read then may be of before, and nobody would forget it.
 */
export function keptRows(isSettled: () => boolean) {
  const tables = new Map<string, Map<string, object | undefined>>(keeping.map((table) => [table, new Map()]))

  return {
    /** The answer to a query of one row, from memory if nobody wrote to its table since it was last read. */
    find<R extends object>(table: KeptTable, key: string, read: () => R | undefined): R | undefined {
      const rows = tables.get(table)
      if (!rows) return read()
      const known = rows.get(key)
      // Asked for by its own text and values, so it is of the type that they give.
      if (known !== undefined) return known as R
      const row = read()
      if (row === undefined || !isSettled()) return row
      if (rows.size >= mostRows) rows.clear()
      rows.set(key, row)
      return row
    },
    /** What must be forgotten whenever this statement runs, if anything. */
    touchedBy(sql: string): Map<string, unknown> | undefined {
      if (isNumbering.test(sql)) return undefined
      return tables.get(writtenTable.exec(sql)?.[1] ?? '')
    },
  }
}

const writtenTable = /^(?:insert into|update|delete from) "(\w+)"/

/** Taking a number changes nothing that a kept row is read for: numbers are read where they are taken. */
const isNumbering = /^update "projects" set "last_(?:pipeline|job)" = [^,]*? where /
