import type { claimJobs, heartbeat, registerAgent } from '#contract/agent.ts'
import type {
  appendLog,
  finishJob,
  getSshVisitors,
  reportSteps,
  showLog,
  waitForNodes,
} from '#contract/agent/report.ts'
import type { Input, Output } from '#contract/endpoint.ts'
import { backoff, pause } from '#kit/backoff.ts'
import type { Exchange } from './exchange.ts'
import { routes } from './routes.ts'
import { serverTests } from './tests/server-tests.ts'
import { openStorage } from './storage.ts'
import { Refused, Unreachable, type Wire } from './wire.ts'

type Body<E> = Input<E> extends { body: infer B } ? B : never

const patience = 30_000
const text = (body: unknown) => [Buffer.from(JSON.stringify(body))]

/** What an agent can ask of its server, each once: whoever wants another try wraps it in `persist`. */
export function openServer(wire: Wire, token: string) {
  return {
    register: (body: Body<typeof registerAgent>, signal?: AbortSignal) =>
      wire.send({ ...at(routes.registerAgent), token, body: text(body), timeoutMs: patience, signal }) as Promise<
        Output<typeof registerAgent>
      >,

    /** Held open by the server for `holdMs` at most. */
    claim: (body: Body<typeof claimJobs>, holdMs: number, signal?: AbortSignal) =>
      wire.send({ ...at(routes.claimJobs), token, body: text(body), timeoutMs: holdMs + patience, signal }) as Promise<
        Output<typeof claimJobs>
      >,

    heartbeat: (body: Body<typeof heartbeat>, holdMs: number, signal?: AbortSignal) =>
      wire.send({ ...at(routes.heartbeat), token, body: text(body), timeoutMs: holdMs + 5000, signal }) as Promise<
        Output<typeof heartbeat>
      >,
  }
}

/** The server, to an agent. */
export type Server = ReturnType<typeof openServer>

/** What can be said about one job, with the token of that job. */
export function openJob(wire: Wire, id: string, token: string, exchange?: Exchange) {
  return {
    storage: openStorage(wire, id, token, exchange),

    report: (body: Body<typeof reportSteps>, signal?: AbortSignal) =>
      wire.send({
        method: 'POST',
        path: routes.reportSteps.path(id),
        token,
        body: text(body),
        timeoutMs: patience,
        signal,
      }),

    /** Held open by the server for a while. */
    others: async (signal?: AbortSignal) => {
      const path = routes.waitForNodes.path(id)
      const answer = await wire.send({ method: 'POST', path, token, body: [], timeoutMs: 2 * patience, signal })
      return (answer as Output<typeof waitForNodes>).others
    },

    /** Resolves with the size of the log now, be it because the bytes were taken or because the server wants others. */
    append: async (
      index: number,
      from: number,
      pieces: readonly Uint8Array[],
      times: string,
      signal?: AbortSignal,
    ): Promise<number> => {
      const size = pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
      const headers = {
        'content-type': 'application/octet-stream',
        'content-range': `bytes ${from}-${from + size - 1}/*`,
        ...(times !== '' && { 'log-times': times }),
      }
      const path = routes.appendLog.path(id, index)
      try {
        const answer = await wire.send({
          method: 'PATCH',
          path,
          token,
          headers,
          body: pieces,
          timeoutMs: patience,
          signal,
        })
        return (answer as Output<typeof appendLog>).offset
      } catch (error) {
        const offset = offsetIn(error)
        if (error instanceof Refused && error.status === 416 && offset !== undefined) return offset
        throw error
      }
    },

    /** As `append`, for bytes that the server can read where they are; undefined when it cannot. */
    show: async (index: number, body: Body<typeof showLog>, signal?: AbortSignal): Promise<number | undefined> => {
      const message = { method: 'POST', path: routes.showLog.path(id, index), token, timeoutMs: patience, signal }
      try {
        return ((await wire.send({ ...message, body: text(body) })) as Output<typeof showLog>).offset
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        if (error.status === 416) return offsetIn(error)
        if (error.status === 409 || error.status === 404) return undefined
        throw error
      }
    },

    /** Whose keys open the job, as of now. */
    visitors: (signal?: AbortSignal) =>
      wire.send({
        method: 'GET',
        path: routes.getSshVisitors.path(id),
        token,
        body: [],
        timeoutMs: patience,
        signal,
      }) as Promise<Output<typeof getSshVisitors>>,

    finish: (body: Body<typeof finishJob>, signal?: AbortSignal) =>
      wire.send({
        method: 'POST',
        path: routes.finishJob.path(id),
        token,
        body: text(body),
        timeoutMs: patience,
        signal,
      }),

    ...serverTests(wire, id, token),
  }
}

/** The server, to one job. */
export type JobServer = ReturnType<typeof openJob>

/** The offset that a refusal names: the server misses bytes of a log from there on. */
export function offsetIn(error: unknown): number | undefined {
  if (!(error instanceof Refused) || typeof error.body !== 'object' || error.body === null) return undefined
  return 'offset' in error.body && typeof error.body.offset === 'number' ? error.body.offset : undefined
}

/** Tries again while the server cannot be reached, with growing waits, until it answers or the signal aborts. */
export async function persist<T>(ask: () => Promise<T>, signal: AbortSignal, tell: (line: string) => void): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      if (attempt === 0) tell(`${error.message}; trying again`)
      await pause(backoff(attempt, 50, 5000), signal)
    }
  }
}

const at = (route: { readonly method: string; readonly path: () => string }) => ({
  method: route.method,
  path: route.path(),
})
