import * as contract from '#contract/v1/organizations.ts'
import { names, type Provider } from '#core/names.ts'
import { providerOf, vcsUrl } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { organizationBuildsText } from '#server/app/builds/lists.ts'
import { numberOf } from '#server/app/builds/people.ts'
import { organizationFor } from '#server/app/organizations.ts'
import { asUser } from '#server/app/permissions.ts'
import { membershipsOf, repositoriesOf } from '#server/app/repositories-of.ts'
import { readyJson, type Serving } from '#server/api/serve.ts'
import { wish } from './wish.ts'

/** Organizations and repositories, as clients of generation 1.1 ask for them. */
export function serveOrganizations({ serve }: Serving, app: App): void {
  const { world } = app
  const longCode = (provider: string) => names[world.terms.dialect].providers[provider as Provider].long

  serve(contract.listOrganizationBuilds, async ({ caller, params, query }) => {
    const { id } = await organizationFor(world, caller, 'viewer', { slug: `${params.vcs}/${params.org}` })
    return readyJson(await organizationBuildsText(app, id, wish(query, caller)))
  })

  serve(contract.getOrganizationSettings, async ({ caller, params }) => {
    const found = await organizationFor(world, caller, 'member', { slug: `${params.vcs}/${params.org}` })
    return { name: found.name, vcs_type: longCode(found.provider), feature_flags: {} }
  })

  serve(contract.listUserOrganizations, async ({ caller }) =>
    (await membershipsOf(world, asUser(caller))).map(({ organization: { name, provider }, isOwner }) => ({
      name,
      login: name,
      vcs_type: longCode(provider),
      avatar_url: null,
      admin: isOwner,
      org: true,
    })),
  )

  serve(contract.listRepositories, async ({ caller, params, query }) => {
    const found = await repositoriesOf(world, asUser(caller), params.vcs, query.page, query['per-page'])
    return found.map((project) => ({
      name: project.name,
      username: project.organization,
      owner: {
        login: project.organization,
        name: project.organization,
        external_id: numberOf({ id: project.organization_id }),
        avatar_url: null,
      },
      vcs_url: vcsUrl(world, project),
      vcs_type: providerOf(world, project).long,
      default_branch: project.default_branch,
      private: project.public === 0,
      following: project.followed_at !== null,
      has_followers: project.has_followers === 1,
      fork: false,
      language: null,
      created_at: project.created_at,
      admin: project.role === 'owner',
    }))
  })
}
