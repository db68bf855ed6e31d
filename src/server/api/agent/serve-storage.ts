import * as artifacts from '#contract/agent/artifact.ts'
import * as caches from '#contract/agent/cache.ts'
import * as exchange from '#contract/agent/exchange.ts'
import * as workspaces from '#contract/agent/workspace.ts'
import type { App } from '#server/app/app.ts'
import { saveArtifact, saveArtifacts } from '#server/app/artifacts.ts'
import { findCache, readCache, saveCache } from '#server/app/caches.ts'
import { lend } from '#server/app/exchange.ts'
import { readSmallArtifacts } from '#server/app/small-artifacts.ts'
import { readLayer, saveLayer, wholeWorkspace } from '#server/app/workspaces.ts'
import { incoming, sendStored } from '#server/api/send-stored.ts'
import type { Serving } from '#server/api/serve.ts'
import { leaseOf } from './serve-agents.ts'

/** What agents ask for of caches and workspaces. */
export function serveStorage({ serve }: Serving, app: App): void {
  const { world } = app

  serve(exchange.lendArchive, async ({ caller, params, body }) => {
    const lease = leaseOf(caller, params.id)
    const read = body.kind === 'cache' ? readCache : readLayer
    return { size: await lend(world, lease, await read(world, lease, body.archive), body.file) }
  })

  serve(exchange.handInCache, async ({ caller, params, body: { key, file } }) => {
    const { saved, createdAt } = await saveCache(app, leaseOf(caller, params.id), key, { file })
    return { saved, created_at: createdAt }
  })

  serve(exchange.handInLayer, async ({ caller, params, body: { step, file } }) => ({
    id: await saveLayer(world, leaseOf(caller, params.id), step, { file }),
  }))

  serve(caches.findCache, async ({ caller, params, body }) => {
    const found = await findCache(world, leaseOf(caller, params.id), body.keys, body.exact, body.more)
    if (!found) return { cache: null }
    const { id, key, size, created_at } = found.cache
    return { cache: { id, key, size, created_at, job_number: found.jobNumber } }
  })

  serve(caches.readCache, async ({ caller, params, request, reply }) =>
    sendArchive(request, reply, await readCache(world, leaseOf(caller, params.id), params.cache)),
  )

  serve(workspaces.listLayers, async ({ caller, params }) => ({
    layers: (await wholeWorkspace(world, leaseOf(caller, params.id).job_id)).map(({ row, jobName, over }) => ({
      id: row.id,
      job: row.job_id,
      job_name: jobName,
      node_index: row.node,
      size: row.size,
      over: [...over],
    })),
  }))

  serve(workspaces.readLayer, async ({ caller, params, request, reply }) =>
    sendArchive(request, reply, await readLayer(world, leaseOf(caller, params.id), params.layer)),
  )
}

/** What agents send: mounted where bodies are read as they come. */
export function serveUploads({ serve }: Serving, app: App): void {
  const { world } = app

  serve(caches.saveCache, async ({ caller, params, query, request }) => {
    const { saved, createdAt } = await saveCache(app, leaseOf(caller, params.id), query.key, incoming(request))
    return { saved, created_at: createdAt }
  })

  serve(workspaces.saveLayer, async ({ caller, params, query, request }) => ({
    id: await saveLayer(world, leaseOf(caller, params.id), query.step, incoming(request)),
  }))

  serve(artifacts.saveArtifacts, async ({ caller, params, request }) => {
    await saveArtifacts(world, leaseOf(caller, params.id), await readSmallArtifacts(incoming(request)))
    return { message: 'ok' }
  })

  serve(artifacts.saveArtifact, async ({ caller, params, query, request }) => {
    await saveArtifact(world, leaseOf(caller, params.id), query.path, incoming(request))
    return { message: 'ok' }
  })
}

type Send = typeof sendStored

const sendArchive: Send = (request, reply, stored) =>
  sendStored(request, reply.header('content-type', 'application/zstd'), stored)
