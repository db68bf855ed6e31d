import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ssh2, { type Connection, type Server } from 'ssh2'
import { authenticate } from './authenticate.ts'
import type { DoorOptions, Entry, Listening } from './entries.ts'
import { forward } from './forward.ts'
import { hostKey } from './host-key.ts'
import { serveSession } from './session.ts'

const mostConnections = 100
const graceMs = 30_000

/** Begins to take connections. Kept apart, as an agent without visitors need not load what they need. */
export async function listen(options: DoorOptions, entries: ReadonlyMap<string, Entry>): Promise<Listening> {
  const server = new ssh2.Server({ hostKeys: [hostKey(options.folder)], ident: 'Roundhouse' }, (client) =>
    admit(client, options, entries),
  )
  server.maxConnections = mostConnections
  const port = await bind(server, options)
  server.on('error', () => {})
  return { port, close: () => server.close() }
}

/** Serves one connection, to the end of the visit at the latest. */
function admit(client: Connection, { forwarding }: DoorOptions, entries: ReadonlyMap<string, Entry>): void {
  const late = setTimeout(() => client.end(), graceMs)
  let inside: Entry | undefined
  const out = () => void client.end()
  client.on('error', () => {})
  client.once('close', () => {
    clearTimeout(late)
    inside?.presence.left()
    inside?.presence.closed.removeEventListener('abort', out)
  })
  authenticate(
    client,
    (name) => entries.get(name)?.visit,
    (visit) => {
      const found = entries.get(visit.name)
      if (inside || !found) return
      inside = found
      found.presence.connected()
      found.presence.closed.addEventListener('abort', out, { once: true })
    },
  )
  client.once('ready', () => {
    clearTimeout(late)
    const at = inside
    if (!at) return out()
    client.on('session', (accept) => serveSession(accept(), at.visit, at.presence))
    if (forwarding) forward(client)
  })
}

/** Where nobody asked for a port, the last one is tried first: people were told it. */
async function bind(server: Server, { listen: wish, folder }: DoorOptions): Promise<number> {
  const colon = wish.lastIndexOf(':')
  const host = wish.slice(0, colon).replace(/^\[|\]$/g, '')
  const port = Number(wish.slice(colon + 1))
  const file = join(folder, 'ssh-port')
  const wanted = port === 0 ? portIn(file) : port
  const bound = await listenAt(server, host, wanted).catch((error: unknown) => {
    if (port !== 0 || wanted === 0) throw error
    return listenAt(server, host, 0)
  })
  if (port === 0) writeFileSync(file, String(bound), { mode: 0o600 })
  return bound
}

function portIn(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8')) || 0
  } catch {
    return 0
  }
}

const listenAt = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as { readonly port: number }).port)
    })
  })
