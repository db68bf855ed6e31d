import { ask, compare, compareWithBare } from './ask.ts'
import type { Figure } from './figures.ts'
import { call, type Service } from './service.ts'

interface Items {
  readonly items: readonly { readonly id: string }[]
}

/** What clients of generation 2 ask for again and again, of a project with many pipelines. */
export async function askedOften(service: Service, project: string): Promise<Readonly<Record<string, string>>> {
  const list = `/api/v2/project/gh/bench/${project}/pipeline`
  const [pipeline] = (await call<Items>(service, 'GET', list)).items
  const [workflow] = (await call<Items>(service, 'GET', `/api/v2/pipeline/${pipeline?.id}/workflow`)).items
  return {
    'pipelines of a project': list,
    'pipelines of an organization': '/api/v2/pipeline?org-slug=gh/bench',
    'one workflow': `/api/v2/workflow/${workflow?.id}`,
  }
}

const headersOf = (service: Service) => ({ authorization: `Bearer ${service.token}`, accept: 'application/json' })

/** Answers a second, sixty-four at a time, against a bare server that answers the same bytes. */
export async function listFigures(service: Service, project: string): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [what, path] of Object.entries(await askedOften(service, project))) {
    const { ours, floor, bytes } = await compareWithBare(service.url + path, headersOf(service))
    figures.push({
      what: `${what}, ${(bytes / 1024).toFixed(1)} KiB`,
      ours: `${ours.toFixed(0)}/s`,
      floor: `${floor.toFixed(0)}/s bare`,
      ratio: ours / floor,
      goal: 0.4,
      atLeast: true,
    })
  }
  return figures
}

/** What counting requests costs: the same answer from a server that counts and from one that does not, turn by turn. */
export async function throttleFigure(counting: Service, free: Service): Promise<Figure> {
  const headers = headersOf(counting)
  const { ours, floor } = await compare(
    () => ask(`${counting.url}/api/v2/me`, headers, 3000),
    () => ask(`${free.url}/api/v2/me`, headers, 3000),
    { warm: 4, rounds: 10 },
  )
  return {
    what: 'with throttling',
    ours: `${ours.toFixed(0)}/s`,
    floor: `${floor.toFixed(0)}/s without`,
    ratio: ours / floor,
    goal: 0.95,
    atLeast: true,
  }
}
