import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { deleteContextVariable, setContextVariable } from '#contract/v2/context.ts'
import { organizationPage } from '#web/address.ts'
import { callV2 } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { ConfirmButton } from '#web/parts/confirm-button.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { MoreButton } from '#web/parts/more-button.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { contextQuery, contextVariablesQuery } from '#web/read/organization-queries.ts'
import { itemsOf } from '#web/read/pages.ts'
import { useAction } from '#web/read/use-action.ts'
import type { OrganizationProps } from './organization-props.ts'
import { Restrictions } from './restrictions.tsx'

/** One context: its variables, and who may use them. */
export function ContextView({ organization, notMember, notOwner, id }: OrganizationProps & { readonly id: string }) {
  const context = useQuery(contextQuery(id))
  return (
    <>
      <p>
        <Link to={organizationPage(organization.id, 'contexts')}>All contexts</Link>
      </p>
      <QueryView query={context}>
        {({ name }) => (
          <>
            <h3>{name}</h3>
            <Variables id={id} refused={notMember} />
            <Restrictions id={id} refused={notOwner} />
          </>
        )}
      </QueryView>
    </>
  )
}

interface Part {
  readonly id: string
  readonly refused: string | undefined
}

function Variables({ id, refused }: Part) {
  const variables = useInfiniteQuery(contextVariablesQuery(id))
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const set = useAction(
    () => callV2(setContextVariable, { params: { context_id: id, env_var_name: name }, body: { value } }),
    () => {
      setName('')
      setValue('')
    },
  )
  return (
    <section aria-label="Variables">
      <h4>Variables</h4>
      <QueryView query={variables}>
        {(data) => (
          <DataTable
            caption="Variables of this context"
            empty="No variable yet."
            rows={itemsOf(data)}
            keyOf={({ variable }) => variable}
            columns={[
              { name: 'Name', cell: ({ variable }) => <code>{variable}</code> },
              { name: 'Changed', cell: ({ updated_at }) => <When at={updated_at} /> },
              {
                name: 'Actions',
                unseen: true,
                cell: ({ variable }) => <DeleteVariable id={id} name={variable} refused={refused} />,
              },
            ]}
          />
        )}
      </QueryView>
      <MoreButton name="More variables" list={variables} />
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
          <TextField
            label="Value"
            type="password"
            hint="Kept sealed, masked in logs, never shown again."
            value={value}
            onText={setValue}
          />
        </div>
      </ActionForm>
    </section>
  )
}

function DeleteVariable({ id, name, refused }: Part & { readonly name: string }) {
  const remove = useAction(() => callV2(deleteContextVariable, { params: { context_id: id, env_var_name: name } }))
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
