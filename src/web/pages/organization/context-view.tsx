import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { deleteContextVariable, setContextVariable } from '#contract/v2/context.ts'
import { organizationPage } from '#web/address.ts'
import { callV2 } from '#web/api/calls.ts'
import { QueryView } from '#web/parts/query-view.tsx'
import { VariableTable } from '#web/parts/variable-table.tsx'
import { When } from '#web/parts/when.tsx'
import { contextQuery, contextVariablesQuery } from '#web/read/organization-queries.ts'
import type { OrganizationProps } from './organization-props.ts'
import { Restrictions } from './restrictions.tsx'

/** One context: its variables, and who may use them. */
export function ContextView({ organization, notMember, notOwner, id }: OrganizationProps & { readonly id: string }) {
  const context = useQuery(contextQuery(id))
  const variables = useInfiniteQuery(contextVariablesQuery(id))
  return (
    <>
      <p className="back">
        <Link to={organizationPage(organization.id, 'contexts')}>All contexts</Link>
      </p>
      <QueryView query={context}>
        {({ name }) => (
          <>
            <h2>{name}</h2>
            <VariableTable
              inner
              about={
                <>
                  Jobs get these that say <code>context: {name}</code> in their workflow.
                </>
              }
              list={variables}
              nameOf={({ variable }) => variable}
              column={{ name: 'Changed', cell: ({ updated_at }) => <When at={updated_at} /> }}
              set={(variable, value) =>
                callV2(setContextVariable, { params: { context_id: id, env_var_name: variable }, body: { value } })
              }
              remove={(variable) =>
                callV2(deleteContextVariable, { params: { context_id: id, env_var_name: variable } })
              }
              refused={notMember}
            />
            <Restrictions id={id} organization={organization} refused={notOwner} />
          </>
        )}
      </QueryView>
    </>
  )
}
