import type { UserId } from '#core/ids.ts'
import { skipsCi } from '#core/pipeline.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { App } from './app.ts'
import { showBuild } from './builds/shown.ts'
import { resolve, type Target, triggerAt } from './trigger.ts'

/** Triggers what a push to a branch or of a tag would have run (§4.1, `build`): nothing, where the commit asks for that, and a build says so. */
export async function triggerAsPush(app: App, project: ProjectRow, actor: UserId, target: Target): Promise<void> {
  const { world } = app
  const how = { type: 'api', actor, parameters: {}, options: {} } as const
  const found = await resolve(world, project, target)
  // What cannot be read is told by the pipeline.
  const revision = await app.findRevision(project, found.revision).catch(() => undefined)
  if (!revision || !skipsCi(revision.commit.subject, revision.commit.body)) {
    await triggerAt(world, project, found, how)
    return
  }
  const never = { status: 'not_run', dontBuild: 'ci-skip' } as const
  await world.db.transaction().execute((tx) => showBuild(world, tx, project, { ...how, ...found }, never))
  world.bell.ring(`project:${project.id}`)
}
