import { later } from '#kit/brand.ts'
import { Refusal } from '#kit/refusal.ts'
import {
  bringForward,
  deletePoll,
  duePolls,
  pollOf,
  type PollRow,
  putPoll,
  settlePoll,
  takePoll,
} from '#server/store/polls.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import { refsOf } from '#server/store/refs.ts'
import { ProviderFailure } from '#server/vcs/providers/call.ts'
import type { App } from './app.ts'
import { learnPulls } from './learn-pulls.ts'
import { fetchElsewhere } from './mirrors.ts'
import { receivePush } from './pushes.ts'
import { noteRefs } from './refs.ts'
import type { World } from './world.ts'

/** How often a repository that lives elsewhere is looked at, unless told otherwise. */
export const usualSeconds = 60
/** Longer than a fetch may take: a server that dies in it leaves the poll to the next one after this. */
const takenMs = 15 * 60_000
const longestMs = 3_600_000

/** When a project is looked at; nothing where it is not. */
export const pollingOf = (world: World, project: ProjectRow): Promise<PollRow | undefined> =>
  pollOf(world.db, { project: project.id })

/** Sets how often a project is looked at: at once, and then so often; 0 for never. */
export async function setPolling(world: World, project: ProjectRow, seconds: number): Promise<PollRow | undefined> {
  if (project.url === null && seconds !== 0)
    throw new Refusal('invalid', 'Cannot poll this project as its repository must live elsewhere: it is hosted here')
  const row = { project_id: project.id, every_seconds: seconds, next_at: world.now(), failures: 0 }
  await world.db.transaction().execute((tx) => (seconds === 0 ? deletePoll(tx, project.id) : putPoll(tx, row)))
  world.bell.ring('polls')
  return seconds === 0 ? undefined : row
}

/** So soon a repository is looked at of which something was told that nobody could make sense of. */
const soonMs = 5_000

/** Lets a project that is polled be looked at soon, however long it would have rested. */
export async function hastenPoll(world: World, project: string): Promise<void> {
  const at = later(world.now(), soonMs)
  await world.db.transaction().execute((tx) => bringForward(tx, project, at))
}

/** Takes polls that are due, up to a number; each is this server's for a while. */
export async function takePolls(world: World, most: number): Promise<readonly PollRow[]> {
  const taken: PollRow[] = []
  for (const row of await duePolls(world.db, { now: world.now(), most })) {
    const next = later(world.now(), takenMs)
    if (await world.db.transaction().execute((tx) => takePoll(tx, row, next))) taken.push({ ...row, next_at: next })
  }
  return taken
}

/**
 * Looks at one repository and starts a pipeline for each branch that moved and each tag that is new. The first look only takes note:
 * what was there before the project is not news. One that cannot be reached is looked at less and less often.
 */
export async function poll({ world, findRevision }: App, row: PollRow, signal: AbortSignal): Promise<void> {
  const project = await projectById(world.db, { id: row.project_id })
  let failures = 0
  let retryMs = 0
  try {
    if (project && project.url !== null) {
      const look = await fetchElsewhere(world, project, signal)
      if ((await refsOf(world.db, project.id)).size === 0) await noteRefs(world, project, look)
      else {
        await learnPulls(world, project, look, signal)
        await receivePush(world, findRevision, project, null, look)
      }
    }
  } catch (error) {
    // Stopped, not failed: whoever comes next looks at once.
    if (signal.aborted) {
      const untried = { next_at: world.now(), failures: row.failures }
      await world.db.transaction().execute((tx) => settlePoll(tx, row.project_id, row.next_at, untried))
      return
    }
    failures = row.failures + 1
    if (error instanceof ProviderFailure) retryMs = error.retryMs ?? 0
    world.log.warn('Cannot poll a repository', { project: row.project_id, failures, error: String(error) })
  }
  const usualMs = row.every_seconds * 1000
  const waitMs = Math.max(retryMs, Math.min(usualMs * 2 ** Math.min(failures, 10), Math.max(longestMs, usualMs)))
  const settled = { next_at: later(world.now(), waitMs), failures }
  await world.db.transaction().execute((tx) => settlePoll(tx, row.project_id, row.next_at, settled))
}
