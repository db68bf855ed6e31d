import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createVariable, deleteVariable } from '#contract/v2/variable.ts'
import { callV2 } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { ConfirmButton } from '#web/parts/confirm-button.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { itemsOf } from '#web/read/pages.ts'
import { variablesQuery } from '#web/read/settings-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import type { SectionProps } from './section-props.ts'

/** The environment variables of a project. */
export function VariableSection({ slug, access, refused }: SectionProps) {
  const variables = useInfiniteQuery({ ...variablesQuery(slug), enabled: access.may_inspect })
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const set = useAction(
    () => callV2(createVariable, { params: { ...slug }, body: { name, value } }),
    () => {
      setName('')
      setValue('')
    },
  )
  return (
    <>
      <p className="soft">
        Every job of this project gets these variables in its environment. A value is kept sealed, is masked in logs,
        and is never shown again.
      </p>
      <ActionForm
        name="Set a variable"
        button="Set variable"
        action={set}
        refused={refused}
        onSubmit={() => set.mutate(undefined)}
      >
        <div className="form-row">
          <TextField
            label="Name"
            required
            maxLength={300}
            pattern="[A-Za-z_][A-Za-z0-9_]*"
            title="Letters, digits and underscores; not a digit first"
            value={name}
            onText={setName}
          />
          <TextField label="Value" type="password" maxLength={32_768} value={value} onText={setValue} />
        </div>
      </ActionForm>
      {access.may_inspect && (
        <QueryView query={variables}>
          {(data) => (
            <DataTable
              caption="Variables"
              empty="No variable yet."
              rows={itemsOf(data)}
              keyOf={(variable) => variable.name}
              columns={[
                { name: 'Name', cell: (variable) => <code>{variable.name}</code> },
                { name: 'Value', cell: (variable) => <code>{variable.value}</code> },
                {
                  name: 'Actions',
                  unseen: true,
                  cell: (variable) => <DeleteVariable slug={slug} name={variable.name} refused={refused} />,
                },
              ]}
            />
          )}
        </QueryView>
      )}
      <MoreButton name="More variables" list={variables} />
    </>
  )
}

function DeleteVariable({ slug, name, refused }: Pick<SectionProps, 'slug' | 'refused'> & { readonly name: string }) {
  const remove = useAction(() => callV2(deleteVariable, { params: { ...slug, name } }))
  return (
    <div className="row-actions">
      <ConfirmButton
        name="Delete"
        what={name}
        question={`Delete ${name}? Jobs that start from now on do without it.`}
        action={{ ...remove, mutate: () => remove.mutate(undefined) }}
        refused={refused}
      />
    </div>
  )
}
