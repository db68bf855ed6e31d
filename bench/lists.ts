import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { type Figure, median } from './figures.ts'
import { call, type Service } from './service.ts'

const bare = `
const { createServer } = require('node:http')
const chunks = []
process.stdin.on('data', (chunk) => chunks.push(chunk))
process.stdin.on('end', () => {
  const body = Buffer.concat(chunks)
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
})
`

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

/** Answers a second, sixty-four at a time, against a bare server that answers the same bytes. */
export async function listFigures(service: Service, project: string): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [what, path] of Object.entries(await askedOften(service, project))) {
    const headers = { authorization: `Bearer ${service.token}`, accept: 'application/json' }
    const url = service.url + path
    const bytes = await (await fetch(url, { headers })).text()
    const child = spawn(process.execPath, ['-e', bare], { stdio: ['pipe', 'pipe', 'inherit'] })
    try {
      child.stdin.end(bytes)
      const [port] = (await once(child.stdout, 'data')) as [Buffer]
      const [ours, floor]: [number[], number[]] = [[], []]
      for (let round = 0; round < 8; round++) {
        const base = await rate(`http://127.0.0.1:${Number(port)}/`, {}, 2000)
        const own = await rate(url, headers, 2000)
        // The first rounds warm both of them up.
        if (round < 3) continue
        ours.push(own)
        floor.push(base)
      }
      const [mine, other] = [median(ours), median(floor)]
      figures.push({
        what: `${what}, ${(bytes.length / 1024).toFixed(1)} KiB`,
        ours: `${mine.toFixed(0)}/s`,
        floor: `${other.toFixed(0)}/s bare`,
        ratio: mine / other,
        goal: 0.4,
        atLeast: true,
      })
    } finally {
      child.kill()
    }
  }
  return figures
}

/** What counting requests costs: the same answer from a server that counts and from one that does not, turn by turn. */
export async function throttleFigure(counting: Service, free: Service): Promise<Figure> {
  const headers = { authorization: `Bearer ${counting.token}`, accept: 'application/json' }
  const [ours, floor]: [number[], number[]] = [[], []]
  for (let round = 0; round < 14; round++) {
    const base = await rate(`${free.url}/api/v2/me`, headers, 3000)
    const own = await rate(`${counting.url}/api/v2/me`, headers, 3000)
    if (round < 4) continue
    ours.push(own)
    floor.push(base)
  }
  const [mine, other] = [median(ours), median(floor)]
  return {
    what: 'with throttling',
    ours: `${mine.toFixed(0)}/s`,
    floor: `${other.toFixed(0)}/s without`,
    ratio: mine / other,
    goal: 0.95,
    atLeast: true,
  }
}

/** Requests a second, over kept connections. */
async function rate(url: string, headers: Record<string, string>, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let left = count
  const lane = async () => {
    while (left-- > 0) await get(agent, url, headers)
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: 64 }, lane))
  const took = performance.now() - began
  agent.destroy()
  return (count / took) * 1000
}

function get(agent: Agent, url: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`Answered ${answer.statusCode}`)),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}
