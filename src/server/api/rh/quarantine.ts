import * as contract from '#contract/rh/quarantine.ts'
import type { App } from '#server/app/app.ts'
import { paged } from '#server/app/insights/paged.ts'
import {
  isQuarantined,
  listQuarantine,
  type QuarantineRow,
  quarantineTest,
  releaseTest,
  testHistory,
} from '#server/app/insights/quarantine.ts'
import { projectOfId } from '#server/app/permissions.ts'
import type { Serving } from '#server/api/serve.ts'

const view = ({ classname, name, file, reason, created_by, created_at }: QuarantineRow): contract.QuarantinedTest => ({
  classname,
  name,
  file,
  reason,
  created_by,
  created_at,
})

/** Tests a team knows to fail, and what became of a test over time. */
export function serveQuarantine({ serve }: Serving, app: App): void {
  const { world } = app

  serve(contract.listQuarantine, async ({ caller, params, query }) => {
    const project = await projectOfId(world, caller, 'read', params.id)
    const page = await paged(app, `quarantine:${project.id}`, query['page-token'], {}, (_, after) =>
      listQuarantine(app, project, after),
    )
    return { items: page.items.map(view), next_page_token: page.next }
  })

  serve(contract.quarantineTest, async ({ caller, params, body }) => {
    const project = await projectOfId(world, caller, 'configure', params.id)
    const by = caller.kind === 'user' ? caller.id : null
    return view(await quarantineTest(world, project, by, body, body.reason ?? ''))
  })

  serve(contract.releaseTest, async ({ caller, params, query }) => {
    const project = await projectOfId(world, caller, 'configure', params.id)
    await releaseTest(world, project, query)
    return { message: 'ok' }
  })

  serve(contract.getTestHistory, async ({ caller, params, query }) => {
    const project = await projectOfId(world, caller, 'read', params.id)
    const { 'page-token': token, ...test } = query
    const page = await paged(app, `history:${project.id}`, token, test, (meant, after) =>
      testHistory(app, project, meant, after),
    )
    const items = page.items.map(({ position: _, branch, ...rest }) => ({
      ...rest,
      ...(branch !== null && { branch }),
    }))
    return { quarantined: await isQuarantined(app, project, test), items, next_page_token: page.next }
  })
}
