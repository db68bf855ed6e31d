import * as projects from '#contract/v2/project.ts'
import * as users from '#contract/v2/user.ts'
import * as variables from '#contract/v2/variable.ts'
import * as webhooks from '#contract/v2/webhook.ts'
import type { ProjectId } from '#core/ids.ts'
import { names, type Provider } from '#core/names.ts'
import { orNotFound } from '#kit/refusal.ts'
import { organizationSlug, providerOf, slugOf } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { followedProjectsOf } from '#server/app/followed.ts'
import { organizationsFor, userFor } from '#server/app/members.ts'
import { asUser, projectFor } from '#server/app/permissions.ts'
import { findVariable, listVariables, removeVariable, setVariable } from '#server/app/variables.ts'
import { changeWebhook, createWebhook, listWebhooks, removeWebhook, webhookFor } from '#server/app/webhooks.ts'
import type { Serving } from '#server/api/serve.ts'
import { projectView, secretMask, userView, variableView, webhookView } from './views.ts'

/** Users of generation 2. */
export function serveUsers({ serve }: Serving, app: App): void {
  serve(users.getMe, async ({ caller }) => userView(asUser(caller).user))
  serve(users.getUser, async ({ caller, params }) => userView(await userFor(app, asUser(caller), params.id)))
  serve(users.listFollowedProjects, async ({ caller, query }) => {
    app.cursors.none(query['page-token'])
    const items = (await followedProjectsOf(app, asUser(caller))).map((project) => ({
      id: project.id,
      name: project.name,
      slug: slugOf(app.world, project),
      vcs_type: project.named_as ?? providerOf(app.world, project).long,
    }))
    return { items, next_page_token: null }
  })
  serve(users.listCollaborations, async ({ caller }) => {
    const organizations = await organizationsFor(app, asUser(caller))
    return organizations.map((organization) => {
      const provider = names[app.world.terms.dialect].providers[organization.provider as Provider]
      return {
        id: organization.id,
        'vcs-type': provider.long,
        vcs_type: provider.long,
        name: organization.name,
        // Clients of strict languages take no null here.
        avatar_url: '',
        slug: organizationSlug(app.world, organization),
      }
    })
  })
}

/** Projects and their variables in generation 2. */
export function serveProjects({ serve }: Serving, app: App): void {
  const { world } = app
  serve(projects.getProject, async ({ caller, params }) =>
    projectView(world, await projectFor(world, caller, 'read', params)),
  )

  serve(variables.listVariables, async ({ caller, params, query }) => {
    app.cursors.none(query['page-token'])
    const project = await projectFor(world, caller, 'inspect', params)
    const items = (await listVariables(world, project)).map(variableView)
    return { items, next_page_token: null }
  })
  serve(variables.createVariable, async ({ caller, params, body }) => {
    const project = await projectFor(world, caller, 'configure', params)
    return variableView(await setVariable(world, project, body.name, body.value))
  })
  serve(variables.getVariable, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'configure', params)
    return variableView(orNotFound(await findVariable(world, project, params.name), 'Environment variable'))
  })
  serve(variables.deleteVariable, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'configure', params)
    orNotFound((await removeVariable(world, project, params.name)) || undefined, 'Environment variable')
    return { message: 'ok' }
  })
}

/** Webhooks of generation 2. */
export function serveWebhooks({ serve }: Serving, app: App): void {
  const { world } = app
  serve(webhooks.listWebhooks, async ({ caller, query }) => {
    app.cursors.none(query['page-token'])
    const rows = await listWebhooks(world, caller, query['scope-id'])
    return { items: rows.map(webhookView), next_page_token: null }
  })
  serve(webhooks.createWebhook, async ({ caller, body }) => {
    const form = {
      name: body.name,
      url: body.url,
      events: body.events,
      verifyTls: body['verify-tls'] ?? body.verify_tls ?? true,
      signingSecret: body['signing-secret'] ?? body.signing_secret ?? '',
    }
    return webhookView(await createWebhook(world, caller, body.scope.id as ProjectId, form))
  })
  serve(webhooks.getWebhook, async ({ caller, params }) =>
    webhookView(await webhookFor(world, caller, params.webhook_id)),
  )
  serve(webhooks.updateWebhook, async ({ caller, params, body }) => {
    const verifyTls = body['verify-tls'] ?? body.verify_tls
    const signingSecret = body['signing-secret'] ?? body.signing_secret
    const changes = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.url !== undefined && { url: body.url }),
      ...(body.events !== undefined && { events: body.events }),
      ...(verifyTls !== undefined && { verifyTls }),
      // Who sends back what they read has no other secret in mind.
      ...(signingSecret !== undefined && signingSecret !== secretMask && { signingSecret }),
    }
    return webhookView(await changeWebhook(world, caller, params.webhook_id, changes))
  })
  serve(webhooks.deleteWebhook, async ({ caller, params }) => {
    await removeWebhook(world, caller, params.webhook_id)
    return { message: 'ok' }
  })
}
