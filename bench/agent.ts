import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheSteps, configOf, fill } from './cache.ts'
import type { Figure } from './figures.ts'
import { endOf, triggerAt } from './runs.ts'
import { agentStarter, pushRepository, type Service } from './service.ts'

const noops = 200

/** What an agent that sends everything takes at most: over many small jobs, over a large log, over a large cache. */
export async function agentFigures(service: Service): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-bench-agent-cache-'))
  await using agent = agentStarter(service)
  try {
    await agent.start()
    const small = async () => {
      const all = await Promise.all(Array.from({ length: noops }, () => triggerAt(service, 'noop')))
      for (const { id } of all) await endOf(service, id, 100)
    }
    const one = async (project: string) => void (await endOf(service, (await triggerAt(service, project)).id, 100))
    const figures: Figure[] = []
    const note = (what: string) => {
      const [now, peak] = [agent.residentMiB(), agent.peakMiB()]
      const figure = { what, ours: `${peak.toFixed(1)} MiB, then ${now.toFixed(1)}`, floor: '1 MiB', ratio: peak }
      figures.push({ ...figure, goal: 80 })
    }
    await one('noop')
    note('agent of its own, one job')
    await small()
    note(`agent of its own, ${noops} jobs`)
    await one('large')
    note('agent of its own, 200 MB of output')
    fill(join(folder, 'data'))
    pushRepository(service, 'agent-cache', configOf(cacheSteps(folder)))
    await one('agent-cache')
    note('agent of its own, 500 MB into a cache and out of it')
    return figures
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
