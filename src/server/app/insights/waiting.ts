import { criticalPath, type PathStep } from '#core/insights/critical-path.ts'
import { busyAgents, longestJobs, queueTimes, type Worked } from '#core/insights/waiting.ts'
import { dayMs, usualWindow, type WindowName, windowOf } from '#core/insights/window.ts'
import type { Instant } from '#kit/brand.ts'
import { cacheUsesSince } from '#server/store/cache-uses.ts'
import { workflowNames } from '#server/store/fact-names.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { App } from '#server/app/app.ts'
import type { StoredWorkflow } from '#server/app/find.ts'
import { readEndedJobs } from './read-runs.ts'
import { breathe } from './summaries.ts'

/** What jobs of a project waited for, and what they took. */
export async function waitingOf(app: App, project: ProjectRow, name: WindowName = usualWindow) {
  const { db, now } = app.world
  const window = windowOf(name, Date.parse(now()))
  const jobs: Worked[] = []
  for (const workflow of await workflowNames(db, project.id)) {
    const found = await readEndedJobs(db, { project: project.id, workflow, window, branches: undefined })
    for (const job of found) jobs.push({ ...job, workflow })
  }
  const queue = queueTimes(jobs)
  await breathe()
  const busy = busyAgents(jobs, window)
  await breathe()
  return { queue, busy, longest: longestJobs(jobs) }
}

/** The jobs that decided how long a workflow took; of one that still runs, so far. */
export function criticalPathOf({ world }: App, { workflow, row }: StoredWorkflow): readonly PathStep[] {
  const time = (at: Instant) => Date.parse(at)
  return criticalPath(
    workflow.jobs.flatMap(({ id, name, needs, queuedAt, startedAt, stoppedAt, reusedFrom }) => {
      if (startedAt === undefined || reusedFrom !== undefined) return []
      const stopped = time(stoppedAt ?? (row.stopped_at as Instant | null) ?? world.now())
      const began = time(startedAt)
      const ready = time(queuedAt ?? startedAt)
      return [{ id, name, needs: needs.map(({ job }) => job), ready, started: began, stopped }]
    }),
  )
}

/** How often jobs found the caches they asked for. */
export async function cacheUse({ world }: App, project: ProjectRow, name: WindowName = usualWindow) {
  const { from } = windowOf(name, Date.parse(world.now()))
  const days = await cacheUsesSince(world.db, { project: project.id, from: Math.floor(from / dayMs) * dayMs })
  const sum = (of: 'hits' | 'misses') => days.reduce((total, day) => total + day[of], 0)
  const [hits, misses] = [sum('hits'), sum('misses')]
  return { hits, misses, rate: hits + misses === 0 ? 0 : hits / (hits + misses), days }
}
