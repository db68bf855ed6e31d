import * as contract from '#contract/rh/failed-tests.ts'
import type { WorkflowId } from '#core/ids.ts'
import type { App } from '#server/app/app.ts'
import { rerunFailedTests } from '#server/app/failed-tests.ts'
import { workflowFor } from '#server/app/find.ts'
import { asUser } from '#server/app/permissions.ts'
import type { Serving } from '#server/api/serve.ts'

/** Reruns that run only the tests that failed. */
export function serveFailedTests({ serve }: Serving, app: App): void {
  serve(contract.rerunFailedTests, async ({ caller, params }) => {
    await workflowFor(app, caller, 'build', params.id)
    const made = await rerunFailedTests(app.world, asUser(caller).id, params.id as WorkflowId)
    return { workflow_id: made }
  })
}
