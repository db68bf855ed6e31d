import type { ReactNode } from 'react'

/** One column: its name, and what stands in it. */
export interface Column<Row> {
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers stand at the right. */
  readonly number?: boolean
  /** A name that is only spoken, for columns of buttons. */
  readonly unseen?: boolean
}

interface Props<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** What is said instead of a table without rows. */
  readonly empty: ReactNode
  readonly seenCaption?: boolean
}

/**
 * Rows of one kind: the first column names each. A narrow screen shows each row as a card, for which the parts of the
 * table must say what they are: as blocks they would be nothing to whoever hears the page.
 */
export function DataTable<Row>({ caption, columns, rows, keyOf, empty, seenCaption = false }: Props<Row>) {
  if (rows.length === 0) return <p className="empty">{empty}</p>
  return (
    <div className="table-scroll panel" role="region" aria-label={caption} tabIndex={0}>
      <table role="table">
        <caption className={seenCaption ? undefined : 'unseen'}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, number, unseen }) => (
              <th key={name} role="columnheader" scope="col" className={number ? 'number' : undefined}>
                <span className={unseen ? 'unseen' : undefined}>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column, i) => (
                <Cell key={column.name} column={column} row={row} first={i === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface CellProps<Row> {
  readonly column: Column<Row>
  readonly row: Row
  readonly first: boolean
}

function Cell<Row>({ column: { name, cell, number, unseen }, row, first }: CellProps<Row>) {
  const look = unseen ? 'row-actions' : number ? 'number' : undefined
  if (first)
    return (
      <th role="rowheader" scope="row" className={look}>
        {cell(row)}
      </th>
    )
  return (
    <td role="cell" className={look} data-name={unseen ? undefined : name}>
      {unseen ? <div>{cell(row)}</div> : cell(row)}
    </td>
  )
}
