import type { Dispatcher, Pool } from 'undici'
import { checkUrl, guardedLookup, hostIsAllowed, type Resolve } from '#server/app/guard.ts'
import type { Answer, Post } from '#server/app/outgoing.ts'

/** A receiver has this long to answer (§6). */
export const timeoutMs = 5_000
/** As much of an answer as is kept, and as much as is read: what lies behind is nobody's business, and may be endless. */
const [keptBytes, readBytes] = [2_000, 64_000]
const [mostPools, mostTargets] = [200, 1_000]

interface Target {
  readonly pool: Pool
  readonly path: string
}

/** Makes requests to receivers: one pool of connections for each origin, to addresses that were checked, no redirect followed. */
export function poster(hosts: readonly string[], connections: number, resolve?: Resolve) {
  const pools = new Map<string, Pool>()
  const targets = new Map<string, Target>()

  async function poolFor(url: URL, verifyTls: boolean): Promise<Pool> {
    const key = `${url.origin} ${verifyTls}`
    const known = pools.get(key)
    if (known) return known
    // Loaded with the first delivery: most installations of an hour have none, and it is large.
    const undici = await import('undici')
    const lookup = guardedLookup(hostIsAllowed(url.href, hosts), resolve) as never
    const made = new undici.Pool(url.origin, {
      connections,
      connect: { rejectUnauthorized: verifyTls, lookup, timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      // Shorter than most receivers keep an idle connection: what is sent into a closed one is lost.
      keepAliveTimeout: 4_000,
    })
    pools.set(key, made)
    forgetOldest()
    return made
  }

  function forgetOldest(): void {
    for (const [key, pool] of [...pools].slice(0, Math.max(0, pools.size - mostPools))) {
      pools.delete(key)
      targets.clear()
      // What it is doing comes to its end first.
      pool.close().catch(() => {})
    }
  }

  /** Where a URL leads, looked at once: what may be reached does not change while we run, and the addresses of a name are checked by the socket. */
  async function targetOf(text: string, verifyTls: boolean): Promise<Target> {
    const url = checkUrl(text, hosts)
    const target = { pool: await poolFor(url, verifyTls), path: url.pathname + url.search }
    if (targets.size >= mostTargets) targets.clear()
    targets.set(`${verifyTls} ${text}`, target)
    return target
  }

  return {
    /** Makes one request. A connection that the receiver closed in the same moment is not its answer: then once more, on a new one. */
    async send({ url: text, verifyTls, headers, body }: Post): Promise<Answer> {
      try {
        const { pool, path } = targets.get(`${verifyTls} ${text}`) ?? (await targetOf(text, verifyTls))
        const options = { path, method: 'POST', headers, body } as const
        const first = await exchange(pool, options)
        return first === 'closed' ? closedAsError(await exchange(pool, options)) : first
      } catch (error) {
        return { error: error instanceof Error ? error.message : String(error) }
      }
    },
    close: () => Promise.all([...pools.values()].map((pool) => pool.destroy())),
  }
}

export type Poster = ReturnType<typeof poster>

const closedAsError = (answer: Answer | 'closed'): Answer =>
  answer === 'closed' ? { error: 'The receiver closed the connection without an answer' } : answer

const closedCodes = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

/** One request and its answer, without the streams that nobody here wants: they cost as much as all the rest. */
function exchange(pool: Pool, options: Dispatcher.DispatchOptions): Promise<Answer | 'closed'> {
  return new Promise((resolve) => {
    let status: number | undefined
    let size = 0
    let text = ''
    let stop: (() => void) | undefined
    let isOver = false
    const end = (answer: Answer | 'closed') => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      resolve(answer)
    }
    const answered = () => (status === undefined ? undefined : { status, ...(text !== '' && { text }) })
    const timer = setTimeout(() => {
      end(answered() ?? { error: `No answer within ${timeoutMs / 1000} s` })
      stop?.()
    }, timeoutMs)
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        stop = () => controller.abort(new Error('Given up'))
        if (isOver) stop()
      },
      onResponseStart: (_, code) => void (status = code),
      onResponseData(_, chunk) {
        if (size < keptBytes) text += chunk.toString('utf8', 0, keptBytes - size).replaceAll('\0', '')
        size += chunk.length
        if (size <= readBytes) return
        end(answered() ?? { error: 'No answer' })
        stop?.()
      },
      onResponseEnd: () => end(answered() ?? { error: 'No answer' }),
      onResponseError(_, error) {
        const { code } = error as { readonly code?: string }
        end(answered() ?? (code !== undefined && closedCodes.includes(code) ? 'closed' : { error: error.message }))
      },
    }
    try {
      pool.dispatch(options, handler)
    } catch (error) {
      end({ error: error instanceof Error ? error.message : String(error) })
    }
  })
}
