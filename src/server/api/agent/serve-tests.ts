import * as contract from '#contract/agent/tests.ts'
import type { App } from '#server/app/app.ts'
import { unitsInQuarantine } from '#server/app/insights/quarantine.ts'
import { makeIdentityToken } from '#contract/agent/identity.ts'
import { failedTestsBefore } from '#server/app/failed-tests.ts'
import { identityToken } from '#server/app/job-identity.ts'
import { storeTests } from '#server/app/store-tests.ts'
import type { Serving } from '#server/api/serve.ts'
import { leaseOf } from './serve-agents.ts'

/** What jobs tell of their tests, what they are told of those before, and by what they prove who they are. */
export function serveAgentTests({ serve }: Serving, app: App): void {
  serve(contract.storeTests, async ({ caller, params, body }) => ({
    batches: await storeTests(app.world, leaseOf(caller, params.id), params.index, body),
  }))

  serve(makeIdentityToken, async ({ caller, params, body }) => ({
    token: await identityToken(app.world, leaseOf(caller, params.id), body.audience),
  }))

  serve(contract.readTimings, async ({ caller, params, query }) => {
    const lease = leaseOf(caller, params.id)
    const types = query.type === 'autodetect' ? (['filename', 'classname'] as const) : ([query.type] as const)
    const found: contract.Timings = {}
    for (const type of types) found[type] = await app.timings(lease, type)
    return found
  })

  serve(contract.readFailedTests, async ({ caller, params }) => {
    const tests = await failedTestsBefore(app.world, leaseOf(caller, params.id))
    return { only_failed: tests !== undefined, tests: [...(tests ?? [])] }
  })

  serve(contract.readQuarantine, async ({ caller, params }) => {
    const { filename, classname, testname } = await unitsInQuarantine(app.world, leaseOf(caller, params.id))
    return { filename: [...filename], classname: [...classname], testname: [...testname] }
  })
}
