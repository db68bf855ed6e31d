import * as contract from '#contract/rh/serial.ts'
import { slugOf } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { workflowFor } from '#server/app/find.ts'
import { serialPlaces } from '#server/app/serial-lines.ts'
import type { Serving } from '#server/api/serve.ts'

/** Why a workflow waits for a serial group. */
export function serveSerialGroups({ serve }: Serving, app: App): void {
  serve(contract.listSerialPlaces, async ({ caller, params }) => {
    await workflowFor(app, caller, 'read', params.id)
    const places = await serialPlaces(app, caller, params.id)
    const items = places.map(({ place, jobName, before, holder }) => ({
      key: place.serial_key,
      job: { id: place.job_id, name: jobName },
      state: place.held_at === null ? ('waiting' as const) : ('held' as const),
      since: place.held_at ?? place.since,
      before,
      holder: holder
        ? {
            project_slug: slugOf(app.world, holder.project),
            pipeline_number: holder.pipelineNumber,
            workflow: holder.workflow,
            since: holder.since,
          }
        : null,
    }))
    return { items }
  })
}
