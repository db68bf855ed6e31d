import { Refusal } from '#kit/refusal.ts'
import type { EventRow } from '#server/store/events.ts'
import { jobById } from '#server/store/jobs.ts'
import { dueNotices, nextNotice, notifiedBy, type NoticeRow } from '#server/store/notices.ts'
import { projectById } from '#server/store/projects.ts'
import type { App } from '#server/app/app.ts'
import { usualHeaders } from '#server/app/deliveries.ts'
import { checkUrl } from '#server/app/guard.ts'
import { dueNow, type Outlet } from '#server/app/outgoing.ts'
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
  const progress = error === undefined ? dueNow(at) : { ...dueNow(at), state: 'dead', error, finished_at: at }
  return { id: world.newId(), job_id: job, url, body, created_at: at, ...progress }
}

function objectionTo({ terms }: World, url: string): string | undefined {
  try {
    checkUrl(url, terms.webhookHosts)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

/** Notices on their way to the addresses that configurations name. */
export const noticeOutlet: Outlet = {
  table: 'notices',
  async due(world, url, at) {
    const headers = usualHeaders(world)
    const rows = await dueNotices(world.db, { ...at, url })
    return rows.map(({ id, next_at, attempts, body }) => ({
      id,
      next_at,
      attempts,
      way: { post: { url, verifyTls: true, headers, body } },
    }))
  },
  next: (db, url) => nextNotice(db, { url }),
}
