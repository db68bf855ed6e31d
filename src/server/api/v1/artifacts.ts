import * as contract from '#contract/v1/artifacts.ts'
import { deleteBuildCache } from '#contract/v1/projects.ts'
import type { App } from '#server/app/app.ts'
import { allArtifacts, artifactUrl, type ArtifactRow } from '#server/app/artifacts.ts'
import { projectBuilds } from '#server/app/builds/lists.ts'
import { clearCaches } from '#server/app/caches.ts'
import { jobOf } from '#server/app/find.ts'
import { projectFor } from '#server/app/permissions.ts'
import type { World } from '#server/app/world.ts'
import type { Serving } from '#server/api/serve.ts'
import { projectName } from './project-name.ts'

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
