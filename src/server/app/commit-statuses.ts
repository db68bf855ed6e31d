import type { CommitWord } from '#core/commit-status.ts'
import type { Provider } from '#core/names.ts'
import { backoff } from '#kit/backoff.ts'
import { later } from '#kit/brand.ts'
import {
  type CommitStatusRow,
  releaseStatuses,
  settleStatus,
  statusesOfRevision,
  takeStatuses,
} from '#server/store/commit-statuses.ts'
import { projectById, type ProjectRow } from '#server/store/projects.ts'
import { ProviderFailure } from '#server/vcs/providers/call.ts'
import { sendStatus } from '#server/vcs/providers/repository.ts'
import { connectionFor } from './connections.ts'
import type { World } from './world.ts'

/*
 * Providers are told how commits stand: kept with what happened, sent by a loop of its own, tried again for more than a day. A provider
 * that is down loses nothing and holds up nobody.
 */

const takenMs = 60_000
/** With waits that double up to an hour: about a day and a half. */
const mostAttempts = 45

/** Takes what is due for a provider. */
export async function takeDueStatuses(
  world: World,
  provider: Provider,
  most: number,
): Promise<readonly CommitStatusRow[]> {
  const now = world.now()
  return world.db.transaction().execute((tx) => takeStatuses(tx, provider, now, later(now, takenMs), most))
}

/** Sends one, and writes down what came of it. */
export async function deliverStatus(world: World, row: CommitStatusRow, signal: AbortSignal): Promise<void> {
  const failure = await attempt(world, row, signal)
  if (signal.aborted) return
  const at = world.now()
  const attempts = row.attempts + 1
  const isOver = failure !== undefined && (failure.isFinal || attempts >= mostAttempts)
  if (failure)
    world.log.warn('A commit status cannot be sent', { project: row.project_id, attempts, error: failure.message })
  const to = {
    state: failure === undefined ? 'sent' : isOver ? 'dead' : 'pending',
    attempts,
    next_at: later(at, failure?.retryMs ?? backoff(attempts, 5_000, 3_600_000)),
    taken_until: null,
    status_code: failure === undefined ? 200 : (failure.status ?? null),
    error: failure?.message.slice(0, 500) ?? null,
    updated_at: at,
  }
  await world.db.transaction().execute((tx) => settleStatus(tx, row, to))
}

async function attempt(world: World, row: CommitStatusRow, signal: AbortSignal): Promise<ProviderFailure | undefined> {
  const project = await projectById(world.db, { id: row.project_id })
  const connection = project && (await connectionFor(world, project))
  if (!connection) return new ProviderFailure('Cannot send a commit status: the project is not connected', 403)
  try {
    await sendStatus(
      connection.terms,
      connection.token,
      connection.repository,
      { ...row, status: row.status as CommitWord },
      signal,
    )
    return undefined
  } catch (error) {
    if (error instanceof ProviderFailure) return error
    throw error
  }
}

/** After the death of the only server: what it was sending is sent again at once. */
export const resumeStatuses = (world: World): Promise<void> => world.db.transaction().execute(releaseStatuses)

/** What the provider of a project was told, or is to be told, of a commit. */
export const toldOf = (world: World, project: ProjectRow, revision: string): Promise<readonly CommitStatusRow[]> =>
  statusesOfRevision(world.db, project.id, revision)
