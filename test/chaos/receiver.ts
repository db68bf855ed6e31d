import { once } from 'node:events'
import { createServer } from 'node:http'

/** What a webhook was told. */
export interface Told {
  readonly id: string
  readonly type: 'job-completed' | 'workflow-completed'
  readonly job?: { readonly id: string; readonly status: string }
  readonly workflow: { readonly id: string; readonly status?: string }
}

/** Receives webhooks on this machine. */
export interface Receiver {
  readonly url: string
  /** Every request that came, in order, also those that were never answered. */
  readonly told: readonly Told[]
  /** From now on: take what comes, or leave whoever comes without an answer. */
  answer(how: 'take' | 'hang'): void
  close(): Promise<void>
}

/** Opens a receiver that takes everything. */
export async function openReceiver(): Promise<Receiver> {
  const told: Told[] = []
  let manner: 'take' | 'hang' = 'take'
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    } catch {
      return
    }
    told.push(JSON.parse(Buffer.concat(chunks).toString()) as Told)
    if (manner === 'take') response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('Cannot open a receiver')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    told,
    answer: (how) => void (manner = how),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
