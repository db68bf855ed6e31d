import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createProjectToken, deleteProjectToken, type tokenScopes } from '#contract/v1/tokens.ts'
import { callV1 } from '#web/api/calls.ts'
import { ChoiceField } from '#web/parts/choice-field.tsx'
import { TokenTable } from '#web/parts/token-table.tsx'
import { oldName, projectTokensQuery } from '#web/read/settings-queries.ts'
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
  const [scope, setScope] = useState<keyof typeof scopes>('status')
  return (
    <TokenTable
      name="Tokens"
      about="A token of a project opens nothing but this project, and only as far as its scope goes."
      tokens={tokens}
      seen={access.may_inspect}
      column={{ name: 'Scope', cell: (token) => scopes[token.scope] }}
      make={(label) => callV1(createProjectToken, { params: oldName(slug), body: { label, scope } })}
      revoke={(token) => callV1(deleteProjectToken, { params: { ...oldName(slug), token } })}
      refused={refused}
    >
      <ChoiceField label="Scope" value={scope} choices={scopes} onChoice={setScope} />
    </TokenTable>
  )
}
