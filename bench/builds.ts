import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { type Figure, median, quantile } from './figures.ts'
import type { Service } from './service.ts'

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

/** The lists that clients ask for again and again. */
export const lists: Readonly<Record<string, string>> = {
  'recent builds': '/api/v1.1/recent-builds?limit=30',
  'project list': '/api/v1.1/project/gh/bench/many?limit=30',
  'branch list': '/api/v1.1/project/gh/bench/many/tree/side?limit=30',
}

interface Run {
  readonly rate: number
  readonly times: readonly number[]
}

/** Lists a second, sixty-four at a time, against a bare server that answers the same bytes; and how evenly. */
export async function buildFigures(service: Service): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [what, path] of Object.entries(lists)) {
    const headers = { 'circle-token': service.token, accept: 'application/json' }
    const url = service.url + path
    const bytes = await (await fetch(url, { headers })).text()
    const child = spawn(process.execPath, ['-e', bare], { stdio: ['pipe', 'pipe', 'inherit'] })
    try {
      child.stdin.end(bytes)
      const [port] = (await once(child.stdout, 'data')) as [Buffer]
      const [ours, floor]: [Run[], Run[]] = [[], []]
      for (let round = 0; round < 8; round++) {
        const base = await run(`http://127.0.0.1:${Number(port)}/`, {}, 2000)
        const own = await run(url, headers, 2000)
        // The first rounds warm both of them up.
        if (round < 3) continue
        ours.push(own)
        floor.push(base)
      }
      const [mine, other] = [median(ours.map(({ rate }) => rate)), median(floor.map(({ rate }) => rate))]
      const times = ours.flatMap((one) => one.times)
      const [middle, late] = [median(times), quantile(times, 0.99)]
      figures.push(
        {
          what: `${what}, ${(bytes.length / 1024).toFixed(0)} KiB`,
          ours: `${mine.toFixed(0)}/s`,
          floor: `${other.toFixed(0)}/s bare`,
          ratio: mine / other,
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
    } finally {
      child.kill()
    }
  }
  return figures
}

/** The median time of each list, asked one at a time. */
export async function listTimes(service: Service): Promise<ReadonlyMap<string, number>> {
  const headers = { 'circle-token': service.token, accept: 'application/json' }
  const paths = { ...lists, 'followed projects': '/api/v1.1/projects' }
  const times = new Map<string, number>()
  for (const [what, path] of Object.entries(paths)) {
    const { times: all } = await run(service.url + path, headers, 400, 1)
    times.set(what, median(all.slice(100)))
  }
  return times
}

async function run(url: string, headers: Record<string, string>, count: number, lanes = 64): Promise<Run> {
  const agent = new Agent({ keepAlive: true, maxSockets: lanes })
  const times: number[] = []
  let left = count
  const lane = async () => {
    while (left-- > 0) {
      const began = performance.now()
      await get(agent, url, headers)
      times.push(performance.now() - began)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: lanes }, lane))
  const took = performance.now() - began
  agent.destroy()
  return { rate: (count / took) * 1000, times }
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
