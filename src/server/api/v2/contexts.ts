import type { ContextRestriction } from '#contract/v2/context-restriction.ts'
import * as restrictions from '#contract/v2/context-restriction.ts'
import type { Context, ContextVariable } from '#contract/v2/context.ts'
import * as contract from '#contract/v2/context.ts'
import { Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import {
  addRestriction,
  listRestrictions,
  type NamedRestriction,
  removeRestriction,
} from '#server/app/context-restrictions.ts'
import * as contexts from '#server/app/contexts.ts'
import type { OrganizationName } from '#server/app/organizations.ts'
import type { Serving } from '#server/api/serve.ts'

const view = ({ id, name, created_at }: contexts.ContextRow): Context => ({ id, name, created_at })

const variableView = (row: contexts.ContextVariableRow): ContextVariable => ({
  variable: row.name,
  created_at: row.created_at,
  updated_at: row.updated_at ?? row.created_at,
  context_id: row.context_id,
})

const restrictionView = ({ row, name }: NamedRestriction): ContextRestriction => ({
  id: row.id,
  context_id: row.context_id,
  ...(row.type === 'project' && { project_id: row.value }),
  name,
  restriction_type: row.type as ContextRestriction['restriction_type'],
  restriction_value: row.value,
})

/** Contexts of generation 2. */
export function serveContexts({ serve }: Serving, app: App): void {
  const { world } = app

  serve(contract.listContexts, async ({ caller, query }) => {
    const owner = ownerOf({ id: query['owner-id'], slug: query['owner-slug'], type: query['owner-type'] })
    const { items, next } = await contexts.listContexts(app, caller, owner, query['page-token'])
    return { items: items.map(view), next_page_token: next }
  })
  serve(contract.createContext, async ({ caller, body }) =>
    view(await contexts.createContext(world, caller, ownerOf(body.owner), body.name)),
  )
  serve(contract.getContext, async ({ caller, params }) =>
    view(await contexts.contextFor(world, caller, 'viewer', params.context_id)),
  )
  serve(contract.deleteContext, async ({ caller, params }) => {
    await contexts.removeContext(world, caller, params.context_id)
    return { message: 'Context deleted.' }
  })

  serve(contract.listContextVariables, async ({ caller, params, query }) => {
    app.cursors.none(query['page-token'])
    const rows = await contexts.listContextVariables(world, caller, params.context_id)
    return { items: rows.map(variableView), next_page_token: null }
  })
  serve(contract.setContextVariable, async ({ caller, params, body }) =>
    variableView(await contexts.setContextVariable(world, caller, params.context_id, params.env_var_name, body.value)),
  )
  serve(contract.deleteContextVariable, async ({ caller, params }) => {
    await contexts.removeContextVariable(world, caller, params.context_id, params.env_var_name)
    return { message: 'Environment variable deleted.' }
  })

  serve(restrictions.listContextRestrictions, async ({ caller, params, query }) => {
    app.cursors.none(query['page-token'])
    const items = await listRestrictions(world, caller, params.context_id)
    return { items: items.map(restrictionView), next_page_token: null }
  })
  serve(restrictions.createContextRestriction, async ({ caller, params, body }) =>
    restrictionView(
      await addRestriction(world, caller, params.context_id, body.restriction_type, body.restriction_value),
    ),
  )
  serve(restrictions.deleteContextRestriction, async ({ caller, params }) => {
    await removeRestriction(world, caller, params.context_id, params.restriction_id)
    return { message: 'Context restriction deleted.' }
  })
}

interface Owner {
  readonly id?: string | undefined
  readonly slug?: string | undefined
  readonly type?: 'organization' | 'account' | undefined
}

/** An account is here what an organization is, and is named by its id only (§4.2). */
function ownerOf({ id, slug, type }: Owner): OrganizationName {
  if ((id === undefined) === (slug === undefined))
    throw new Refusal('invalid', 'Cannot find the owner as one of owner-id and owner-slug must be given')
  if (id !== undefined) return { id }
  if (type === 'account') throw new Refusal('invalid', 'Cannot find an account by a slug: it must be named by its id')
  return { slug: slug ?? '' }
}
