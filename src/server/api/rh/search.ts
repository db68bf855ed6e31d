import * as contract from '#contract/rh/search.ts'
import { slugOf } from '#server/app/addresses.ts'
import type { App } from '#server/app/app.ts'
import { asUser } from '#server/app/permissions.ts'
import { type Found, search } from '#server/app/search.ts'
import type { Serving } from '#server/api/serve.ts'

/** Finding things by their words. */
export function serveSearch({ serve }: Serving, app: App): void {
  const view = (found: Found): contract.SearchHit => ({
    kind: found.kind,
    project_slug: slugOf(app.world, found.project),
    name: found.name,
    branch: found.branch ?? null,
    pipeline_number: found.pipeline ?? null,
    workflow_id: found.workflow ?? null,
    job_id: found.job ?? null,
    at: found.at ?? null,
  })
  serve(contract.search, async ({ caller, query }) => {
    const { items, next } = await search(app, asUser(caller), query.q, query.kind, query['page-token'])
    return { items: items.map(view), next_page_token: next }
  })
}
