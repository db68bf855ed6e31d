import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { DialectAdapter } from 'kysely'
import type { Db } from './schema.ts'

/** What a thread that reads or writes a database is told: where the file is. */
export interface SidePlace {
  readonly path: string
}

/** What it is asked, and what it answers; what went wrong as a text. */
export interface SideQuestion {
  readonly id: number
  readonly question: unknown
}
export type SideAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: string }

export type SideThread = ReturnType<typeof sideThread>

/** Threads that read beside a database in a file, found as short ways are: PostgreSQL has processes of its own. */
export const sideThreads = new WeakMap<DialectAdapter, SideThread>()

/** The thread beside this database, where there is one. */
export const sideThreadOf = (db: Db): SideThread | undefined => sideThreads.get(db.getExecutor().adapter)

/** How long a thread waits for another question, and how much memory it may use. */
export interface SideLimits {
  readonly idleMs?: number
  readonly resourceLimits?: ResourceLimits
}

interface Waiter {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** A thread for what takes long, told where it is. It is started by the first question, and ends when there were none for a while: its memory is given back. */
export function sideThread(place: unknown, { idleMs = 60_000, ...limits }: SideLimits = {}) {
  let worker: Worker | undefined
  let asked = 0
  let idle: NodeJS.Timeout | undefined
  const waiting = new Map<number, Waiter>()

  function start(program: URL): Worker {
    const started = new Worker(program, { workerData: place, ...limits })
    started.on('message', (answer: SideAnswer) => {
      // What is being ended is not told to rest: nobody would wait for its end.
      if (worker !== started) return
      const waiter = waiting.get(answer.id)
      waiting.delete(answer.id)
      if (waiting.size === 0) rest(started)
      if ('value' in answer) waiter?.resolve(answer.value)
      else waiter?.reject(new Error(answer.problem))
    })
    started.on('error', (error) => lose(started, error instanceof Error ? error : new Error(String(error))))
    started.on('exit', (code) => lose(started, new Error(`Cannot answer: the thread beside us has ended with ${code}`)))
    return started
  }

  /** Whoever waited is told; the next question starts another one. */
  function lose(lost: Worker, error: Error): void {
    if (worker !== lost) return
    worker = undefined
    const left = [...waiting.values()]
    waiting.clear()
    for (const { reject } of left) reject(error)
  }

  function rest(resting: Worker): void {
    // A thread that only waits keeps no process alive.
    resting.unref()
    clearTimeout(idle)
    idle = setTimeout(() => void close(), idleMs).unref()
  }

  /** The next question, even one that comes before this one has ended, starts another one. */
  async function close(): Promise<void> {
    clearTimeout(idle)
    const closed = worker
    if (!closed) return
    lose(closed, new Error('Cannot answer: the thread beside us was closed'))
    await closed.terminate()
  }

  return {
    /** Asks the thread, which runs this program. */
    ask(program: URL, question: unknown): Promise<unknown> {
      worker ??= start(program)
      clearTimeout(idle)
      worker.ref()
      const id = (asked += 1)
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
      const said: SideQuestion = { id, question }
      worker.postMessage(said)
      return answer
    },
    close,
  }
}
