import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useAction } from '#web/read/use-action.ts'
import { useOpened } from '#web/read/use-opened.ts'
import { AddButton, AddForm } from './add-form.tsx'
import { ConfirmedAction } from './confirmed-action.tsx'
import type { Column } from './data-table.tsx'
import { PagedTable } from './paged-table.tsx'
import { SectionHead } from './section-head.tsx'
import { TextField } from './text-field.tsx'

interface Props<Row> {
  readonly about: ReactNode
  /** Under another heading. */
  readonly inner?: boolean
  readonly list: UseInfiniteQueryResult<{
    readonly pages: readonly { readonly items: readonly Row[]; readonly next_page_token: string | null }[]
  }>
  readonly nameOf: (row: Row) => string
  /** What is shown of a variable beside its name. */
  readonly column: Column<Row>
  readonly set: (name: string, value: string) => Promise<unknown>
  readonly remove: (name: string) => Promise<unknown>
  readonly refused: string | undefined
  /** Whether the reader may see which there are. */
  readonly seen?: boolean
}

/** Variables whose values are kept and never shown: those that there are, and a form that sets one. */
export function VariableTable<Row>(props: Props<Row>) {
  const { about, inner = false, list, nameOf, column, set, remove, refused, seen = true } = props
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const setting = useOpened('variable')
  const save = useAction(
    () => set(name, value),
    () => {
      setName('')
      setValue('')
      setting.close()
    },
  )
  return (
    <>
      <SectionHead name="Variables" about={about} refused={refused} inner={inner}>
        <AddButton name="Set a variable" opened={setting} refused={refused} />
      </SectionHead>
      <AddForm
        name="Set a variable"
        button="Set variable"
        opened={setting}
        action={save}
        refused={refused}
        onSubmit={() => save.mutate(undefined)}
      >
        <div className="form-row">
          <TextField
            label="Name"
            required
            maxLength={300}
            pattern="[A-Za-z_][A-Za-z0-9_]*"
            title="Letters, digits and underscores; not a digit first"
            hint="One that is there already gets the new value."
            value={name}
            onText={setName}
          />
          <TextField
            label="Value"
            type="password"
            maxLength={32_768}
            hint="Kept sealed, masked in logs, never shown again."
            value={value}
            onText={setValue}
          />
        </div>
      </AddForm>
      {seen && (
        <PagedTable
          list={list}
          more="More variables"
          caption="Variables"
          empty="No variable yet. Set one, and jobs that start from then on get it in their environment."
          keyOf={nameOf}
          columns={[
            { name: 'Name', cell: (row) => <code>{nameOf(row)}</code> },
            column,
            {
              name: 'Actions',
              unseen: true,
              cell: (row) => (
                <ConfirmedAction
                  what={nameOf(row)}
                  question={`Delete ${nameOf(row)}? Jobs that start from now on do without it.`}
                  act={() => remove(nameOf(row))}
                  refused={refused}
                />
              ),
            },
          ]}
        />
      )}
    </>
  )
}
