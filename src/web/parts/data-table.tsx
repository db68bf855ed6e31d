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
  readonly empty: string
  readonly seenCaption?: boolean
}

/** Rows of one kind: the first column names each. On a narrow screen it scrolls by itself. */
export function DataTable<Row>({ caption, columns, rows, keyOf, empty, seenCaption = false }: Props<Row>) {
  if (rows.length === 0) return <p className="empty">{empty}</p>
  return (
    <div className="table-scroll panel" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption className={seenCaption ? undefined : 'unseen'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, number, unseen }) => (
              <th key={name} scope="col" className={number ? 'number' : undefined}>
                <span className={unseen ? 'unseen' : undefined}>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, number }, i) => (
                <Cell key={name} first={i === 0} number={number ?? false}>
                  {cell(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell({ first, number, children }: { first: boolean; number: boolean; children: ReactNode }) {
  const look = number ? 'number' : undefined
  if (!first) return <td className={look}>{children}</td>
  return (
    <th scope="row" className={look}>
      {children}
    </th>
  )
}
