import { later } from '#kit/brand.ts'
import { firstUuidAt } from '#kit/uuid.ts'
import { deleteOutputs, deleteReport, deleteResults, reportsBefore } from '#server/store/old-tests.ts'
import type { World } from './world.ts'

const day = 24 * 60 * 60 * 1000
const reportsAtOnce = 20
/** Deleted in one transaction: a few milliseconds, after which others get their turn. */
const resultsAtOnce = 1_000

/** Removes test results that were kept long enough: the report last, so that what a crash leaves is found again. True when there may be more. */
export async function sweepTests({ db, now, terms }: World): Promise<boolean> {
  const before = later(now(), -terms.storage.testDays * day)
  const below = firstUuidAt(Date.parse(before))
  const reports = await reportsBefore(db, { below, before, most: reportsAtOnce })
  for (const { job_id: job, node, step, tests } of reports) {
    for (let from = 0; from < tests; from += resultsAtOnce) {
      const to = from + resultsAtOnce
      await db.transaction().execute((tx) => deleteResults(tx, { job, node, step, from, to }))
    }
    await db.transaction().execute(async (tx) => {
      await deleteOutputs(tx, { job, node, step })
      await deleteReport(tx, { job, node, step })
    })
  }
  return reports.length === reportsAtOnce
}
