import { names } from '#core/names.ts'
import { later } from '#kit/brand.ts'
import { Refusal } from '#kit/refusal.ts'
import type { EventRow } from '#server/store/events.ts'
import { jobById } from '#server/store/jobs.ts'
import { notifiedBy, type NoticeRow, takeDueNotices, updateNotice } from '#server/store/notices.ts'
import { projectById } from '#server/store/projects.ts'
import type { App } from '#server/app/app.ts'
import { type Answer, outcomeOf, takenMs } from '#server/app/deliveries.ts'
import { checkUrl } from '#server/app/guard.ts'
import type { World } from '#server/app/world.ts'
import { wholeBuild } from './build.ts'

/*
 * Build notifications of generation 1.1: a configuration names addresses (`notify.webhooks`), and each build of it that ends
 * is posted there whole. They go the way of webhooks: kept first, guarded, tried again, the same bytes each time.
 */

/** What must be sent because a build ended. */
export async function noticesOf(app: App, event: EventRow): Promise<readonly NoticeRow[]> {
  if (event.job_id === null) return []
  const urls = await notifiedBy(app.world.db, event.pipeline_id)
  if (urls.length === 0) return []
  const job = await jobById(app.world.db, { id: event.job_id })
  const project = await projectById(app.world.db, { id: event.project_id })
  if (!project || !job?.number) return []
  const body = JSON.stringify({ payload: await wholeBuild(app, project, job) })
  return urls.map((url) => newNotice(app.world, job.id, url, body))
}

/** A notice that is due now; one that may not be sent at all says why. */
function newNotice(world: World, job: string, url: string, body: string): NoticeRow {
  const at = world.now()
  const error = objectionTo(world, url)
  return {
    id: world.newId(),
    job_id: job,
    url,
    body,
    state: error === null ? 'pending' : 'dead',
    attempts: 0,
    next_at: at,
    taken_until: null,
    status_code: null,
    error,
    created_at: at,
    finished_at: error === null ? null : at,
  }
}

function objectionTo({ terms }: World, url: string): string | null {
  try {
    checkUrl(url, terms.webhookHosts)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

/** Takes notices that are due, as webhooks are taken. */
export async function takeNotices(world: World, most: number) {
  const now = world.now()
  const rows = await world.db.transaction().execute((tx) => takeDueNotices(tx, now, later(now, takenMs), most))
  const headers = { 'Content-Type': 'application/json', 'User-Agent': names[world.terms.dialect].userAgent }
  return rows.map((notice) => ({ notice, url: notice.url, verifyTls: true, headers }))
}

/** Writes down what came of an attempt. */
export async function settleNotice(world: World, notice: NoticeRow, answer: Answer): Promise<void> {
  const to = outcomeOf(world, notice, answer)
  await world.db.transaction().execute((tx) => updateNotice(tx, notice.id, to))
}
