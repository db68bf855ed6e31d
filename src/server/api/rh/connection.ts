import * as contract from '#contract/rh/connection.ts'
import type { Output } from '#contract/endpoint.ts'
import type { App } from '#server/app/app.ts'
import { toldOf } from '#server/app/commit-statuses.ts'
import { connect } from '#server/app/connect.ts'
import { disconnect, isConnected } from '#server/app/connections.ts'
import { projectFor } from '#server/app/permissions.ts'
import { changeSettings, settingsOf } from '#server/app/project-settings.ts'
import type { Serving } from '#server/api/serve.ts'

type Told = Output<typeof contract.listCommitStatuses>['items'][number]

/** How projects speak to their providers. */
export function serveConnections({ serve }: Serving, { world }: App): void {
  serve(contract.getConnection, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'inspect', params)
    return { connected: await isConnected(world, world.db, project), statuses: settingsOf(project).statusesOf }
  })
  serve(contract.setConnection, async ({ caller, params, body }) => {
    const project = await projectFor(world, caller, 'configure', params)
    const { statuses } = body
    const settings =
      statuses === undefined
        ? settingsOf(project)
        : await changeSettings(world, caller, project, { statusesOf: statuses })
    const made = body.token === undefined ? undefined : await connect(world, project, body.token)
    return {
      connected: await isConnected(world, world.db, project),
      statuses: settings.statusesOf,
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
