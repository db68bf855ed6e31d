import { dayMs, usualWindow, type WindowName, windowOf } from '#core/insights/window.ts'
import { cacheUsesSince } from '#server/store/cache-uses.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { App } from '#server/app/app.ts'

/** How often jobs found the caches they asked for. */
export async function cacheUse({ world }: App, project: ProjectRow, name: WindowName = usualWindow) {
  const { from } = windowOf(name, Date.parse(world.now()))
  const days = await cacheUsesSince(world.db, { project: project.id, from: Math.floor(from / dayMs) * dayMs })
  const sum = (of: 'hits' | 'misses') => days.reduce((total, day) => total + day[of], 0)
  const [hits, misses] = [sum('hits'), sum('misses')]
  return { hits, misses, rate: hits + misses === 0 ? 0 : hits / (hits + misses), days }
}
