import * as artifacts from '#contract/rh/artifacts.ts'
import * as caches from '#contract/rh/caches.ts'
import type { App } from '#server/app/app.ts'
import { artifactUrl, listArtifacts, readArtifact, signedArtifactUrl } from '#server/app/artifacts.ts'
import { clearCaches, listCaches } from '#server/app/caches.ts'
import { jobFor } from '#server/app/find.ts'
import { projectOfId } from '#server/app/permissions.ts'
import { contentTypeOf } from '#server/api/content-type.ts'
import { sendStored } from '#server/api/send-stored.ts'
import type { Serving } from '#server/api/serve.ts'

/** A file of somebody's job is shown as a page of nobody: no scripts, no session, nothing of ours within reach. */
const sandbox =
  "sandbox; default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self' data:"

/** Artifacts and caches, for people. */
export function serveStorageForPeople({ serve }: Serving, app: App): void {
  const { world } = app

  serve(artifacts.listArtifacts, async ({ caller, params, query }) => {
    const { job } = await jobFor(app, caller, 'read', params.id)
    const { items, next } = await listArtifacts(app, job, query['page-token'])
    return {
      items: items.map((row) => ({
        path: row.path,
        node_index: row.node,
        size: row.size,
        url: artifactUrl(world, row),
        signed_url: signedArtifactUrl(world, row),
      })),
      next_page_token: next,
    }
  })

  serve(artifacts.readArtifact, async ({ caller, params, query, request, reply }) => {
    const wanted = { job: params.id, node: params.node, path: params['*'], ...query }
    const stored = await readArtifact(world, caller, wanted)
    reply
      .header('content-type', contentTypeOf(wanted.path))
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', sandbox)
      .header('cross-origin-resource-policy', 'same-origin')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'private, no-cache')
    return sendStored(request, reply, stored)
  })

  serve(caches.listCaches, async ({ caller, params, query }) => {
    const project = await projectOfId(world, caller, 'inspect', params.id)
    const { items, next } = await listCaches(app, project, query['page-token'])
    return {
      items: items.map(({ id, key, size, created_at, expires_at }) => ({ id, key, size, created_at, expires_at })),
      next_page_token: next,
    }
  })

  serve(caches.deleteCaches, async ({ caller, params, query }) => {
    const project = await projectOfId(world, caller, 'configure', params.id)
    return { message: 'ok', deleted: await clearCaches(world, project, query.prefix) }
  })
}
