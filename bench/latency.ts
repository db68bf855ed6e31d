import { type Figure, median, quantile } from './figures.ts'
import { bareSpawn, bareSpawnRate } from './floors.ts'
import { endOf, jobsOf, timeToFinish, triggerAt } from './runs.ts'
import type { Service } from './service.ts'

const ms = (value: number) => `${value.toFixed(1)} ms`

/** From trigger to finished, for a job that does nothing. */
export async function noop(
  service: Service,
  what: string,
  goals: { readonly p50: number; readonly p95?: number },
): Promise<readonly Figure[]> {
  const ours: number[] = []
  const floor: number[] = []
  for (let round = 0; round < 70; round++) {
    const [bare, run] = [await bareSpawn(), await timeToFinish(service, 'noop', 15)]
    if (round < 10) continue
    floor.push(bare)
    ours.push(run)
  }
  const peers = 'Laminar 7.1, Woodpecker 18, Buildbot 139'
  const [p50, p95, base] = [median(ours), quantile(ours, 0.95), median(floor)]
  return [
    { what: `${what}, p50`, ours: ms(p50), floor: `${ms(base)} bare spawn`, ratio: p50 / base, goal: goals.p50, peers },
    ...(goals.p95 === undefined
      ? []
      : [{ what: `${what}, p95`, ours: ms(p95), floor: `${ms(base)} bare spawn`, ratio: p95 / base, goal: goals.p95 }]),
  ]
}

/** One job, then eighteen side by side, then one. */
export async function fanOut(service: Service): Promise<Figure> {
  const ours: number[] = []
  const rates: number[] = []
  for (let round = 0; round < 12; round++) {
    rates.push(await bareSpawnRate(40))
    const run = await timeToFinish(service, 'fan', 60)
    if (round >= 2) ours.push(run)
  }
  const rate = median(rates)
  const p50 = median(ours)
  // The goal of 120 ms belongs to a machine that spawns 690 a second: 20 jobs there take 29 ms at least.
  return {
    what: 'fan-out 1-18-1',
    ours: ms(p50),
    floor: `${ms(20_000 / rate)} for 20 spawns`,
    ratio: p50 / (20_000 / rate),
    goal: 120 / (20_000 / 690),
    peers: 'Laminar 8.6, Woodpecker 27, Buildbot 306',
  }
}

/** Two hundred jobs that wait, on two slots; `begin` lets the agent at them. */
export async function queue(service: Service, begin: () => Promise<void>): Promise<Figure> {
  const before = await bareSpawnRate(400)
  const pipelines = []
  for (let i = 0; i < 200; i++) pipelines.push(await triggerAt(service, 'noop'))
  await begin()
  const jobs = []
  for (const { id } of pipelines) jobs.push(...(await jobsOf(service, 'noop', await endOf(service, id, 250))))
  const first = Math.min(...jobs.map((job) => Date.parse(job.started_at)))
  const last = Math.max(...jobs.map((job) => Date.parse(job.stopped_at)))
  const ours = (200 / (last - first)) * 1000
  const floor = (before + (await bareSpawnRate(400))) / 2
  return {
    what: '200 queued, two slots',
    ours: `${ours.toFixed(0)} jobs/s`,
    floor: `${floor.toFixed(0)} spawns/s`,
    ratio: ours / floor,
    goal: 0.3,
    atLeast: true,
    peers: 'Laminar 0.09, Woodpecker 0.02, Buildbot 0.003',
  }
}
