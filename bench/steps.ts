import { configOf } from './cache.ts'
import { type Figure, median } from './figures.ts'
import { bareSpawn } from './floors.ts'
import { endOf, jobsOf, triggerAt } from './runs.ts'
import { pushRepository, type Service } from './service.ts'

const steps = 50
const rounds = 10

/** What one more step costs a job that runs in a shell, logs and reports included, against a bare spawn of the same shell. */
export async function stepFigure(service: Service): Promise<Figure> {
  const some = (count: number) =>
    configOf(Array.from({ length: count }, (_, i) => `run: { name: s${i}, command: echo }`))
  pushRepository(service, 'one-step', some(1))
  pushRepository(service, 'many-steps', some(steps + 1))
  const [ours, floor]: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round++) {
    const spawns: number[] = []
    for (let i = 0; i < steps; i++) spawns.push(await bareSpawn())
    const [one, many] = [await lengthOf(service, 'one-step'), await lengthOf(service, 'many-steps')]
    if (round === 0) continue
    floor.push(median(spawns))
    ours.push((many - one) / steps)
  }
  const [mine, bare] = [median(ours), median(floor)]
  const ratio = median(ours.map((time, i) => time / (floor[i] ?? Number.NaN)))
  return { what: 'step', ours: `${mine.toFixed(1)} ms`, floor: `${bare.toFixed(1)} ms bare spawn`, ratio, goal: 2 }
}

async function lengthOf(service: Service, project: string): Promise<number> {
  const { id } = await triggerAt(service, project)
  const [job] = await jobsOf(service, project, await endOf(service, id, 50))
  if (!job) throw new Error('There is no job')
  return Date.parse(job.stopped_at) - Date.parse(job.started_at)
}
