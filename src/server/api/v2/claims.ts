import * as contract from '#contract/v2/claims.ts'
import { Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import type { Caller } from '#server/app/callers.ts'
import * as claims from '#server/app/identity-claims.ts'
import { organizationFor, type Role } from '#server/app/organizations.ts'
import { projectOfId } from '#server/app/permissions.ts'
import type { Serving } from '#server/api/serve.ts'

interface Named {
  readonly org_id: string
  readonly project_id?: string
}

const view = ({ org_id, project_id }: Named, row: claims.ClaimsRow): contract.Claims => ({
  org_id,
  ...(project_id !== undefined && { project_id }),
  ...(row.audience !== null && { audience: JSON.parse(row.audience) as string[] }),
  ...(row.audience_at !== null && { audience_updated_at: row.audience_at }),
  ...(row.ttl !== null && { ttl: row.ttl }),
  ...(row.ttl_at !== null && { ttl_updated_at: row.ttl_at }),
})

const chosen = (text: string) => text.split(',') as claims.ClaimName[]

/** What organizations and projects want the tokens of their jobs to say. */
export function serveClaims({ serve }: Serving, { world }: App): void {
  /** Whose claims they are, if the caller is at least that in the organization. */
  async function subject(caller: Caller, least: Role, { org_id, project_id }: Named): Promise<string> {
    const organization = await organizationFor(world, caller, least, { id: org_id })
    if (project_id === undefined) return organization.id
    const project = await projectOfId(world, caller, 'read', project_id.toLowerCase())
    if (project.organization_id !== organization.id) throw new Refusal('not-found', 'Project not found')
    return project.id
  }

  serve(contract.getOrgClaims, async ({ caller, params }) =>
    view(params, await claims.findClaims(world, await subject(caller, 'viewer', params))),
  )
  serve(contract.updateOrgClaims, async ({ caller, params, body }) =>
    view(params, await claims.changeClaims(world, await subject(caller, 'owner', params), body)),
  )
  serve(contract.deleteOrgClaims, async ({ caller, params, query }) =>
    view(params, await claims.dropClaims(world, await subject(caller, 'owner', params), chosen(query.claims))),
  )
  serve(contract.getProjectClaims, async ({ caller, params }) =>
    view(params, await claims.findClaims(world, await subject(caller, 'viewer', params))),
  )
  serve(contract.updateProjectClaims, async ({ caller, params, body }) =>
    view(params, await claims.changeClaims(world, await subject(caller, 'owner', params), body)),
  )
  serve(contract.deleteProjectClaims, async ({ caller, params, query }) =>
    view(params, await claims.dropClaims(world, await subject(caller, 'owner', params), chosen(query.claims))),
  )
}
