import { once } from 'node:events'
import { createServer, connect, type Socket } from 'node:net'

/**
 * What the network does to whatever passes: `dead` takes connections and moves no byte, `closed` ends them at once, `deaf` brings
 * every request and loses every answer, `torn` ends each connection after so many bytes of it, `slow` holds each piece up for so long.
 */
export type Weather =
  | { readonly type: 'fair' | 'dead' | 'closed' | 'deaf' }
  | { readonly type: 'torn'; readonly afterBytes: number }
  | { readonly type: 'slow'; readonly ms: number }

/** The wire between agents and their server, with a weather that a test makes. */
export interface Network {
  readonly url: string
  /** Where it leads to. */
  lead(to: string): void
  /** Holds from now on, for what is open too. */
  weather(now: Weather): void
  /** Ends everything that is open, as a cable that is pulled. */
  cut(): void
  /** How many connections were ended before their time. */
  broken(): number
  close(): Promise<void>
}

/** Listens on loopback and passes on bytes. */
export async function openNetwork(): Promise<Network> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let now: Weather = { type: 'fair' }
  let port = 0
  let broken = 0

  function end(pair: readonly [Socket, Socket]): void {
    if (pairs.delete(pair)) broken++
    for (const socket of pair) socket.resetAndDestroy()
  }

  /** Whether the weather lets bytes through in this direction. */
  const passes = (isAnswer: boolean) => now.type !== 'dead' && !(now.type === 'deaf' && isAnswer)

  function pass(from: Socket, to: Socket, pair: readonly [Socket, Socket], isAnswer: boolean): void {
    let passed = 0
    from.on('data', (bytes: Buffer) => {
      if (!passes(isAnswer)) return
      passed += bytes.length
      if (now.type === 'torn' && passed > now.afterBytes) {
        // What came before the tear arrives: half of a body is worse than none.
        to.write(bytes.subarray(0, Math.max(0, bytes.length - (passed - now.afterBytes))), () => end(pair))
        return
      }
      const later = () => {
        if (to.destroyed || to.write(bytes)) return
        from.pause()
        to.once('drain', () => from.resume())
      }
      if (now.type === 'slow') setTimeout(later, now.ms)
      else later()
    })
    from.on('end', () => passes(isAnswer) && to.end())
    from.on('error', () => {})
    from.on('close', () => {
      pairs.delete(pair)
      if (now.type !== 'dead') to.destroy()
    })
  }

  const server = createServer((incoming) => {
    if (now.type === 'closed') {
      broken++
      return void incoming.resetAndDestroy()
    }
    const outgoing = connect(port, '127.0.0.1')
    const pair = [incoming, outgoing] as const
    pairs.add(pair)
    pass(incoming, outgoing, pair, false)
    pass(outgoing, incoming, pair, true)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('Cannot listen')

  return {
    url: `http://127.0.0.1:${address.port}`,
    lead: (to) => void (port = Number(new URL(to).port)),
    weather: (next) => void (now = next),
    cut: () => [...pairs].forEach(end),
    broken: () => broken,
    async close() {
      now = { type: 'fair' }
      for (const pair of pairs) end(pair)
      server.close()
      await once(server, 'close')
    },
  }
}
