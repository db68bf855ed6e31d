import type { App } from '#server/app/app.ts'
import { dueTraces, settleTrace, type Trace, traceBody } from '#server/app/insights/traces.ts'
import type { Loop } from './loop.ts'

const timeoutMs = 10_000

/** Tells workflows that ended to a collector of traces. It may be slow or gone: nobody but this loop waits for it. */
export function traceLoop({ world }: App): Loop {
  const collector = world.terms.insights.traces

  async function tell(trace: Trace, signal: AbortSignal): Promise<string | undefined> {
    if (!collector) return undefined
    const body = await traceBody(world, trace.workflow)
    if (body === undefined) return undefined
    try {
      const { request } = await import('undici')
      const answer = await request(collector.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...collector.headers },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      // What it says is nobody's business, and may be endless.
      answer.body.on('error', () => {}).destroy()
      return answer.statusCode < 300 ? undefined : `It answered ${answer.statusCode}`
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  return {
    name: 'traces',
    topics: collector ? ['events'] : [],
    everyMs: collector ? 5_000 : 3_600_000,
    async turn(signal) {
      if (!collector) return false
      const due = await dueTraces(world)
      for (const trace of due) await settleTrace(world, trace, await tell(trace, signal))
      return due.length > 0
    },
  }
}
