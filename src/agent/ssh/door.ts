import type { DoorOptions, Entry, Listening } from './entries.ts'
import { openPresence, type Presence, type Visit } from './visit.ts'

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
