import type { FastifyReply } from 'fastify'
import * as contract from '#contract/v1/artifacts.ts'
import { deleteBuildCache } from '#contract/v1/projects.ts'
import { orNotFound, Refusal } from '#kit/refusal.ts'
import type { App } from '#server/app/app.ts'
import { allArtifacts, artifactOf, artifactUrl, type ArtifactRow, signedArtifactUrl } from '#server/app/artifacts.ts'
import { projectBuilds } from '#server/app/builds/lists.ts'
import { clearCaches } from '#server/app/caches.ts'
import { jobOf } from '#server/app/find.ts'
import { projectFor } from '#server/app/permissions.ts'
import type { World } from '#server/app/world.ts'
import type { Serving } from '#server/api/serve.ts'
import { projectName } from './project-name.ts'

/** Among so many of the newest builds a file is looked for: the jobs of a workflow do not all leave it. */
const mostSearched = 30

/** Artifacts and caches of generation 1.1. */
export function serveArtifacts({ serve }: Serving, app: App): void {
  const { world } = app

  serve(contract.listArtifacts, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'read', projectName(params))
    const { job } = await jobOf(app, project, params.build_num, 'Build')
    return (await allArtifacts(world, job)).map((row) => view(world, row))
  })

  serve(contract.listLatestArtifacts, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', projectName(params))
    const [latest] = await projectBuilds(app, project, { limit: 1, branch: query.branch, filter: query.filter })
    if (!latest) return []
    const { job } = await jobOf(app, project, latest.number, 'Build')
    return (await allArtifacts(world, job)).map((row) => view(world, row))
  })

  serve(contract.openArtifact, async ({ caller, params, reply }) => {
    const project = await projectFor(world, caller, 'read', projectName(params))
    const { job } = await jobOf(app, project, params.build_num, 'Build')
    return goTo(reply, orNotFound(await artifactOf(world, job, params.node, params['*']), 'Artifact'))
  })

  serve(contract.openLatestArtifact, async ({ caller, params, query, reply }) => {
    const project = await projectFor(world, caller, 'read', projectName(params))
    const newest = { limit: mostSearched, branch: query.branch, filter: query.filter }
    for (const { number } of await projectBuilds(app, project, newest)) {
      const { job } = await jobOf(app, project, number, 'Build')
      const found = await artifactOf(world, job, params.node, params['*'])
      if (found) return goTo(reply, found)
    }
    throw new Refusal('not-found', `File not found: none of the newest ${mostSearched} builds has it`)
  })

  /** By a link of its own, as a client may not send its token again to where it is sent. */
  const goTo = (reply: FastifyReply, found: ArtifactRow) =>
    reply.header('cache-control', 'no-store').redirect(signedArtifactUrl(world, found), 302)

  serve(deleteBuildCache, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'configure', projectName(params))
    await clearCaches(world, project)
    return { message: 'ok', status: 'build dependency caches deleted' }
  })
}

const view = (world: World, row: ArtifactRow): contract.Artifact => ({
  path: row.path,
  pretty_path: row.path,
  node_index: row.node,
  url: artifactUrl(world, row),
})
