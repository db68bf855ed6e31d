import type { ProjectRow } from '#server/store/projects.ts'
import { closeOwnPulls, putPull } from '#server/store/pulls.ts'
import { openPulls } from '#server/vcs/providers/pulls.ts'
import { connectionFor } from './connections.ts'
import { movedRefs } from './refs.ts'
import type { Look } from './sources.ts'
import type { World } from './world.ts'

/** More branches than this of one push are not asked about. */
const mostBranches = 10
/** A build waits no longer for it. */
const longestMs = 5_000

/**
 * Asks the provider which pull requests the branches that moved belong to, before they are built. What it cannot be asked now is
 * not waited for: a build without its pull request is better than none.
 */
export async function learnPulls(world: World, project: ProjectRow, look: Look, stop: AbortSignal): Promise<void> {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(longestMs)])
    const connection = await connectionFor(world, project)
    if (!connection) return
    const { terms, token, repository } = connection
    const moved = await movedRefs(world, project, look)
    const branches = moved.filter(
      ({ type, to, name }) => type === 'branch' && to !== undefined && name !== project.default_branch,
    )
    for (const { name } of branches.slice(0, mostBranches)) {
      const found = await openPulls(terms, token, repository, name, signal)
      await world.db.transaction().execute(async (tx) => {
        const open = found.map(({ number }) => number)
        await closeOwnPulls(tx, { project: project.id, branch: name, but: open })
        for (const { number, title, url, revision, baseBranch } of found)
          await putPull(tx, {
            project_id: project.id,
            number,
            state: 'open',
            fork: 0,
            branch: name,
            revision,
            base_branch: baseBranch,
            head_repository: `${repository.owner}/${repository.name}`,
            title,
            url,
            updated_at: world.now(),
          })
      })
    }
  } catch (error) {
    world.log.warn('Cannot ask for pull requests', { project: project.id, error: String(error) })
  }
}
