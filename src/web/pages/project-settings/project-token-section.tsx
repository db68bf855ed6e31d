import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createProjectToken, deleteProjectToken, type ProjectToken, type tokenScopes } from '#contract/v1/tokens.ts'
import { callV1 } from '#web/api/calls.ts'
import { ActionForm } from '#web/parts/action-form.tsx'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { ConfirmButton } from '#web/parts/confirm-button.tsx'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SecretOnce } from '#web/parts/secret-once.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { When } from '#web/parts/when.tsx'
import { oldName, projectTokensQuery } from '#web/read/settings-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import type { SectionProps } from './section-props.ts'

const scopes: Readonly<Record<(typeof tokenScopes)[number], string>> = {
  status: 'Status: badges and feeds',
  'view-builds': 'See builds',
  'trigger-builds': 'See and trigger builds',
  'read-settings': 'See builds and settings',
  'write-settings': 'Change settings',
  all: 'Everything in this project',
}

/** The tokens of a project. */
export function ProjectTokenSection({ slug, access, refused }: SectionProps) {
  const tokens = useQuery({ ...projectTokensQuery(slug), enabled: access.may_inspect })
  const [label, setLabel] = useState('')
  const [scope, setScope] = useState<keyof typeof scopes>('status')
  const make = useAction(
    () => callV1(createProjectToken, { params: oldName(slug), body: { label, scope } }),
    () => setLabel(''),
  )
  return (
    <>
      <p className="soft">A token of a project opens nothing but this project, and only as far as its scope goes.</p>
      <ActionForm
        name="Make a project token"
        button="Make token"
        action={make}
        refused={refused}
        onSubmit={() => make.mutate(undefined)}
      >
        <div className="form-row">
          <TextField label="Label" required maxLength={200} value={label} onText={setLabel} />
          <ChoiceField label="Scope" value={scope} choices={scopes} onChoice={setScope} />
        </div>
      </ActionForm>
      {make.data && <SecretOnce name="New token" text={make.data.token} />}
      {access.may_inspect && (
        <QueryView query={tokens}>
          {(items) => (
            <DataTable
              caption="Tokens of this project"
              empty="No token yet."
              rows={items}
              keyOf={(token) => token.id}
              columns={[
                { name: 'Label', cell: (token) => token.label },
                { name: 'Token', cell: (token) => <code>{token.token}</code> },
                { name: 'Scope', cell: (token) => scopes[token.scope] },
                { name: 'Made', cell: (token) => <When at={token.time} /> },
                {
                  name: 'Actions',
                  unseen: true,
                  cell: (token) => <Revoke slug={slug} token={token} refused={refused} />,
                },
              ]}
            />
          )}
        </QueryView>
      )}
    </>
  )
}

function Revoke({ slug, token, refused }: Pick<SectionProps, 'slug' | 'refused'> & { readonly token: ProjectToken }) {
  const revoke = useAction(() => callV1(deleteProjectToken, { params: { ...oldName(slug), token: token.id } }))
  return (
    <div className="row-actions">
      <ConfirmButton
        name="Revoke"
        what={token.label}
        question={`Revoke ${token.label}? Whatever uses it is refused from now on.`}
        action={{ ...revoke, mutate: () => revoke.mutate(undefined) }}
        refused={refused}
      />
    </div>
  )
}
