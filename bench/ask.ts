import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { median } from './figures.ts'

/*
 * Asking the same thing again and again over kept connections, and a bare server to compare with.
 */

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

type Headers = Readonly<Record<string, string>>

/** How many answers came a second, and how long each took in milliseconds. */
export interface Asked {
  readonly rate: number
  readonly times: readonly number[]
}

/** Asks for an address `count` times, some at a time. */
export async function ask(url: string, headers: Headers, count: number, lanes = 64): Promise<Asked> {
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

/** What two servers did turn by turn: the medians of their rates, and how long the answers of the first took. */
export interface Compared {
  readonly ours: number
  readonly floor: number
  readonly times: readonly number[]
}

/** Asks two servers in turns; the first rounds warm both of them up. */
export async function compare(
  own: () => Promise<Asked>,
  other: () => Promise<Asked>,
  { warm = 3, rounds = 5 } = {},
): Promise<Compared> {
  const [ours, floor]: [Asked[], Asked[]] = [[], []]
  for (let round = 0; round < warm + rounds; round++) {
    const base = await other()
    const mine = await own()
    if (round < warm) continue
    ours.push(mine)
    floor.push(base)
  }
  return {
    ours: median(ours.map(({ rate }) => rate)),
    floor: median(floor.map(({ rate }) => rate)),
    times: ours.flatMap(({ times }) => times),
  }
}

/** Compares an address of the service with a bare server that answers the same bytes. */
export async function compareWithBare(url: string, headers: Headers): Promise<Compared & { readonly bytes: number }> {
  const body = await (await fetch(url, { headers })).text()
  const child = spawn(process.execPath, ['-e', bare], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    child.stdin.end(body)
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    const compared = await compare(
      () => ask(url, headers, 2000),
      () => ask(`http://127.0.0.1:${Number(port)}/`, {}, 2000),
    )
    return { ...compared, bytes: body.length }
  } finally {
    child.kill()
  }
}

function get(agent: Agent, url: string, headers: Headers): Promise<void> {
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
