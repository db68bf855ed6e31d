import { openPresence, type Presence, type Visit } from './visit.ts'

/** How people reach jobs of an agent. */
export interface DoorOptions {
  /** `127.0.0.1:0`: any free port, and the same again after a restart where it is still free. */
  readonly listen: string
  /** What people are told to connect to; where it listens unless given. */
  readonly host?: string | undefined
  /** Whether visitors may reach the network through the agent. */
  readonly forwarding: boolean
  /** Of the agent: host key and port are kept in it. */
  readonly folder: string
}

/** A job that is open. */
export interface Entry {
  readonly visit: Visit
  readonly presence: Presence
}

/** Where connections are taken. */
export interface Listening {
  readonly port: number
  close(): void
}

/** Where a job is reached. */
export interface Opened {
  readonly presence: Presence
  readonly host: string
  readonly port: number
}

/** The SSH server of an agent. It listens from the first job that is opened until the last is closed. */
export interface Door {
  /** Opens a job to those who have its keys, until its presence is closed. */
  open(visit: Visit): Promise<Opened>
}

/** Listens nowhere yet. */
export function openDoor(options: DoorOptions): Door {
  const entries = new Map<string, Entry>()
  let listening: Promise<Listening> | undefined

  async function begin(): Promise<Listening> {
    const { listen } = await import('./listen.ts')
    return listen(options, entries)
  }

  function leave(entry: Entry): void {
    if (entries.get(entry.visit.name) === entry) entries.delete(entry.visit.name)
    if (entries.size > 0) return
    void listening?.then((at) => at.close())
    listening = undefined
  }

  return {
    async open(visit) {
      const entry = { visit, presence: openPresence() }
      entries.set(visit.name, entry)
      try {
        const { port } = await (listening ??= begin())
        entry.presence.closed.addEventListener('abort', () => leave(entry), { once: true })
        const host = options.host ?? options.listen.slice(0, options.listen.lastIndexOf(':'))
        return { presence: entry.presence, host, port }
      } catch (error) {
        listening = undefined
        entries.delete(visit.name)
        throw error
      }
    },
  }
}
