import type { Organization } from '#contract/v2/organization.ts'
import * as contract from '#contract/v2/organization.ts'
import { deleteProject } from '#contract/v2/project.ts'
import { organizationSlug, providerOf } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { removeOrganization, removeProject } from '#server/app/delete-project.ts'
import * as memberships from '#server/app/memberships.ts'
import { organizationFor, organizationNamed, type OrganizationRow } from '#server/app/organizations.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import { addHostedProject } from '#server/app/projects.ts'
import type { World } from '#server/app/world.ts'
import type { Serving } from '#server/api/serve.ts'
import { projectView } from './views.ts'

/** Clients compare what they sent with what they get: a provider is called what it was called when the organization was made. */
const view = (world: World, row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  slug: organizationSlug(world, row),
  vcs_type: row.named_as ?? providerOf(world, row).long,
})

/** Organizations of generation 2, and how projects come and go. */
export function serveOrganizations({ serve }: Serving, app: App): void {
  const { world } = app

  serve(contract.createOrganization, async ({ caller, body }) =>
    view(world, await memberships.createOrganization(world, asUser(caller), body.name, body.vcs_type)),
  )
  serve(contract.getOrganization, async ({ caller, params }) =>
    view(world, await organizationFor(world, caller, 'viewer', organizationNamed(params.organization))),
  )
  serve(contract.deleteOrganization, async ({ caller, params }) => {
    const organization = await organizationFor(world, caller, 'owner', organizationNamed(params.organization))
    await removeOrganization(app, asUser(caller), organization)
    return { message: 'Organization deleted.' }
  })
  serve(contract.createProject, async ({ caller, params, body }) => {
    const organization = await organizationFor(world, caller, 'member', organizationNamed(params.organization))
    return projectView(world, await addHostedProject(world, asUser(caller), organization, body.name))
  })
  serve(deleteProject, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'configure', params)
    await organizationFor(world, caller, 'owner', { id: project.organization_id })
    await removeProject(app, asUser(caller), project)
    return { message: 'Project deleted.' }
  })
}
