import { useInfiniteQuery } from '@tanstack/react-query'
import { createVariable, deleteVariable } from '#contract/v2/variable.ts'
import { callV2 } from '#web/api/calls.ts'
import { VariableTable } from '#web/parts/variable-table.tsx'
import { variablesQuery } from '#web/read/settings-queries.ts'
import type { SectionProps } from './section-props.ts'

/** The environment variables of a project. */
export function VariableSection({ slug, access, refused }: SectionProps) {
  const variables = useInfiniteQuery({ ...variablesQuery(slug), enabled: access.may_inspect })
  return (
    <VariableTable
      about="Every job of this project gets these in its environment. What several projects share belongs into a context of the organization."
      list={variables}
      nameOf={({ name }) => name}
      column={{ name: 'Value', cell: ({ value }) => <code>{value}</code> }}
      set={(name, value) => callV2(createVariable, { params: { ...slug }, body: { name, value } })}
      remove={(name) => callV2(deleteVariable, { params: { ...slug, name } })}
      refused={refused}
      seen={access.may_inspect}
    />
  )
}
