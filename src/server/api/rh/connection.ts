import * as contract from '#contract/rh/connection.ts'
import type { Output } from '#contract/endpoint.ts'
import type { App } from '#server/app/app.ts'
import { toldOf } from '#server/app/commit-statuses.ts'
import { connect } from '#server/app/connect.ts'
import { disconnect, isConnected } from '#server/app/connections.ts'
import { projectFor } from '#server/app/permissions.ts'
import type { ProjectRow } from '#server/app/find.ts'
import { changeSettings, settingsOf } from '#server/app/project-settings.ts'
import { checkSource, readsFromProvider } from '#server/app/sources.ts'
import type { Serving } from '#server/api/serve.ts'

type Told = Output<typeof contract.listCommitStatuses>['items'][number]

/** How projects speak to their providers. */
export function serveConnections({ serve }: Serving, { world }: App): void {
  const view = async (project: ProjectRow) => ({
    connected: await isConnected(world, world.db, project),
    statuses: settingsOf(project).statusesOf,
    source: readsFromProvider(world, project) ? ('provider' as const) : ('git' as const),
  })
  serve(contract.getConnection, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'inspect', params)
    return view(project)
  })
  serve(contract.setConnection, async ({ caller, params, body }) => {
    const project = await projectFor(world, caller, 'configure', params)
    const { statuses, source } = body
    if (source !== undefined) checkSource(world, project, source)
    if (statuses !== undefined || source !== undefined)
      await changeSettings(world, caller, project, {
        ...(statuses !== undefined && { statusesOf: statuses }),
        ...(source !== undefined && { source }),
      })
    const made = body.token === undefined ? undefined : await connect(world, project, body.token)
    return {
      ...(await view(await projectFor(world, caller, 'configure', params))),
      access: made && made.level !== 'none' ? made.level : null,
      checkout_key_registered: made?.keyAdded ?? false,
    }
  })
  serve(contract.deleteConnection, async ({ caller, params }) => {
    await disconnect(world, await projectFor(world, caller, 'configure', params))
    return { message: 'ok' }
  })
  serve(contract.listCommitStatuses, async ({ caller, params }) => {
    const rows = await toldOf(world, await projectFor(world, caller, 'read', params), params.revision)
    return {
      items: rows.map((row) => ({
        context: row.context,
        status: row.status as Told['status'],
        state: row.state as Told['state'],
        attempts: row.attempts,
        error: row.error,
        updated_at: row.updated_at,
      })),
    }
  })
}
