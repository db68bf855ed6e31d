import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type ContextRestriction,
  createContextRestriction,
  deleteContextRestriction,
} from '#contract/v2/context-restriction.ts'
import type { Organization } from '#contract/rh/organizations.ts'
import { callV2 } from '#web/api/calls.ts'
import { AddButton, AddForm } from '#web/parts/add-form.tsx'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { ConfirmedAction } from '#web/parts/confirmed-action.tsx'
import { PagedTable } from '#web/parts/paged-table.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { TextField } from '#web/parts/text-field.tsx'
import { restrictionsQuery } from '#web/read/organization-queries.ts'
import { useAction } from '#web/read/use-action.ts'
import { useOpened } from '#web/read/use-opened.ts'
import { memberId, MemberField, projectId, ProjectField } from './named-field.tsx'

type Kind = ContextRestriction['restriction_type']

const kinds: Readonly<Record<Kind, string>> = {
  project: 'A project',
  user: 'A person',
  group: 'All members',
  expression: 'Pipelines for which an expression holds',
}

interface Props {
  readonly id: string
  readonly organization: Organization
  readonly refused: string | undefined
}

/** Who and what may use a context. */
export function Restrictions({ id, organization, refused }: Props) {
  const restrictions = useInfiniteQuery(restrictionsQuery(id))
  const [kind, setKind] = useState<Kind>('project')
  const [value, setValue] = useState('')
  const adding = useOpened('restriction')
  const add = useAction(
    async () =>
      callV2(createContextRestriction, {
        params: { context_id: id },
        body: { restriction_type: kind, restriction_value: await valueOf(kind, value, organization) },
      }),
    () => {
      setValue('')
      adding.close()
    },
  )
  return (
    <>
      <SectionHead
        inner
        name="Restrictions"
        about="Without any, every pipeline that a member of this organization runs may use the context. With some of a kind, one of them must hold."
        refused={refused}
      >
        <AddButton name="Add a restriction" opened={adding} refused={refused} />
      </SectionHead>
      <AddForm
        name="Add a restriction"
        button="Add restriction"
        opened={adding}
        action={add}
        refused={refused}
        onSubmit={() => add.mutate(undefined)}
      >
        <div className="form-row">
          <ChoiceField
            label="Only for"
            value={kind}
            choices={kinds}
            onChoice={(chosen) => {
              setKind(chosen)
              setValue('')
            }}
          />
          <ValueField kind={kind} value={value} organization={organization} onText={setValue} />
        </div>
      </AddForm>
      <PagedTable
        list={restrictions}
        more="More restrictions"
        caption="Restrictions of this context"
        empty="No restriction: every member's pipelines may use this context."
        keyOf={(one) => one.id}
        columns={[
          { name: 'Only for', cell: ({ restriction_type }) => kinds[restriction_type] },
          {
            name: 'Which',
            cell: ({ name, restriction_value }) => <code>{name === '' ? restriction_value : name}</code>,
          },
          {
            name: 'Actions',
            unseen: true,
            cell: (one) => (
              <ConfirmedAction
                name="Lift"
                what={`restriction to ${one.name === '' ? one.restriction_value : one.name}`}
                question="Lift this restriction? More pipelines may use the context then."
                act={() => callV2(deleteContextRestriction, { params: { context_id: id, restriction_id: one.id } })}
                refused={refused}
              />
            ),
          },
        ]}
      />
    </>
  )
}

/** What the interface wants to be told: an id where somebody chose by name. */
async function valueOf(kind: Kind, value: string, organization: Organization): Promise<string> {
  if (kind === 'project') return projectId(organization, value)
  if (kind === 'user') return memberId(organization, value)
  return kind === 'group' ? organization.id : value
}

interface FieldProps {
  readonly kind: Kind
  readonly value: string
  readonly organization: Organization
  readonly onText: (value: string) => void
}

function ValueField({ kind, ...field }: FieldProps) {
  if (kind === 'project') return <ProjectField {...field} />
  if (kind === 'user') return <MemberField {...field} />
  if (kind === 'group') return null
  return (
    <TextField
      label="Expression"
      required
      maxLength={2000}
      hint='Over pipeline values, like pipeline.git.branch == "main".'
      value={field.value}
      onText={field.onText}
    />
  )
}
