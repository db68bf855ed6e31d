import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type ContextRestriction,
  createContextRestriction,
  deleteContextRestriction,
} from '#contract/v2/context-restriction.ts'
import { callV2 } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { ConfirmButton } from '#web/parts/confirm-button.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { restrictionsQuery } from '#web/read/organization-queries.ts'
import { itemsOf } from '#web/read/pages.ts'
import { useAction } from '#web/read/use-action.ts'

type Kind = ContextRestriction['restriction_type']

const kinds: Readonly<Record<Kind, string>> = {
  project: 'A project',
  user: 'A person',
  group: 'All members',
  expression: 'Pipelines for which an expression holds',
}

const hints: Readonly<Record<Kind, string>> = {
  project: 'The id of the project.',
  user: 'The id of the user.',
  group: 'The id of the organization.',
  expression: 'Over pipeline values, like pipeline.git.branch == "main".',
}

interface Props {
  readonly id: string
  readonly refused: string | undefined
}

/** Who and what may use a context. */
export function Restrictions({ id, refused }: Props) {
  const restrictions = useInfiniteQuery(restrictionsQuery(id))
  const [kind, setKind] = useState<Kind>('expression')
  const [value, setValue] = useState('')
  const add = useAction(
    () =>
      callV2(createContextRestriction, {
        params: { context_id: id },
        body: { restriction_type: kind, restriction_value: value },
      }),
    () => setValue(''),
  )
  return (
    <section aria-label="Restrictions">
      <h4>Restrictions</h4>
      <p className="soft">Without any, every pipeline that a member of this organization runs may use the context.</p>
      <QueryView query={restrictions}>
        {(data) => (
          <DataTable
            caption="Restrictions of this context"
            empty="No restriction."
            rows={itemsOf(data)}
            keyOf={(one) => one.id}
            columns={[
              { name: 'Only for', cell: ({ restriction_type }) => kinds[restriction_type] },
              {
                name: 'Which',
                cell: ({ name, restriction_value }) => <code>{name === '' ? restriction_value : name}</code>,
              },
              { name: 'Actions', unseen: true, cell: (one) => <Lift one={one} refused={refused} /> },
            ]}
          />
        )}
      </QueryView>
      <ActionForm
        name="Add a restriction"
        button="Add restriction"
        action={add}
        refused={refused}
        onSubmit={() => add.mutate(undefined)}
      >
        <ChoiceField label="Only for" value={kind} choices={kinds} onChoice={setKind} />
        <TextField label="Which" required maxLength={2000} hint={hints[kind]} value={value} onText={setValue} />
      </ActionForm>
    </section>
  )
}

function Lift({ one, refused }: { readonly one: ContextRestriction; readonly refused: string | undefined }) {
  const lift = useAction(() =>
    callV2(deleteContextRestriction, { params: { context_id: one.context_id, restriction_id: one.id } }),
  )
  return (
    <div className="row-actions">
      <ConfirmButton
        name="Lift"
        what={`restriction ${one.restriction_value}`}
        question="Lift this restriction? More pipelines may use the context then."
        action={{ ...lift, mutate: () => lift.mutate(undefined) }}
        refused={refused}
      />
    </div>
  )
}
