import { ask, compareWithBare } from './ask.ts'
import { type Figure, median, quantile } from './figures.ts'
import type { Service } from './service.ts'

/** The lists that clients ask for again and again. */
export const lists: Readonly<Record<string, string>> = {
  'recent builds': '/api/v1.1/recent-builds?limit=30',
  'project list': '/api/v1.1/project/gh/bench/many?limit=30',
  'branch list': '/api/v1.1/project/gh/bench/many/tree/side?limit=30',
}

const headersOf = (service: Service) => ({ 'circle-token': service.token, accept: 'application/json' })

/** Lists a second, sixty-four at a time, against a bare server that answers the same bytes; and how evenly. */
export async function buildFigures(service: Service): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [what, path] of Object.entries(lists)) {
    const { ours, floor, times, bytes } = await compareWithBare(service.url + path, headersOf(service))
    const [middle, late] = [median(times), quantile(times, 0.99)]
    figures.push(
      {
        what: `${what}, ${(bytes / 1024).toFixed(0)} KiB`,
        ours: `${ours.toFixed(0)}/s`,
        floor: `${floor.toFixed(0)}/s bare`,
        ratio: ours / floor,
        goal: 0.4,
        atLeast: true,
        peers: '0.17',
      },
      {
        what: `${what}, p99 to median`,
        ours: `${late.toFixed(1)} ms`,
        floor: `${middle.toFixed(1)} ms`,
        ratio: late / middle,
        goal: 5,
      },
    )
  }
  return figures
}

/** The median time of each list, asked one at a time. */
export async function listTimes(service: Service): Promise<ReadonlyMap<string, number>> {
  const paths = { ...lists, 'followed projects': '/api/v1.1/projects' }
  const times = new Map<string, number>()
  for (const [what, path] of Object.entries(paths)) {
    const { times: all } = await ask(service.url + path, headersOf(service), 400, 1)
    times.set(what, median(all.slice(100)))
  }
  return times
}
