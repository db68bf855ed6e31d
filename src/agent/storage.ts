import type { Readable } from 'node:stream'
import type { findCache, saveCache } from '#contract/agent/cache.ts'
import type { listLayers } from '#contract/agent/workspace.ts'
import type { Output } from '#contract/endpoint.ts'
import { backoff, pause } from '#kit/backoff.ts'
import { routes } from './routes.ts'
import { Refused, Unreachable, type Wire } from './wire.ts'

/** How long a connection may stand still before it counts as dead. */
const patience = 120_000
/** How often something is begun anew that broke off without having come any further: about four minutes. */
const mostTries = 20

/** What a job may keep on the server, and get back. Each once: `repeat` tries again. */
export function openStorage(wire: Wire, id: string, token: string) {
  const query = (values: Record<string, string>) => `?${new URLSearchParams(values).toString()}`
  const put = (path: string, body: Readable, signal: AbortSignal) =>
    wire.upload({ method: 'PUT', path, token, timeoutMs: patience, signal }, body)

  return {
    findCache: (keys: readonly string[], exact: boolean, signal: AbortSignal) =>
      wire.send({
        method: routes.findCache.method,
        path: routes.findCache.path(id),
        token,
        body: [Buffer.from(JSON.stringify({ keys, exact }))],
        timeoutMs: patience,
        signal,
      }) as Promise<Output<typeof findCache>>,

    saveCache: (key: string, body: Readable, signal: AbortSignal) =>
      put(routes.saveCache.path(id) + query({ key }), body, signal) as Promise<Output<typeof saveCache>>,

    readCache: (cache: string, signal: AbortSignal) => resumed(wire, routes.readCache.path(id, cache), token, signal),

    listLayers: (signal: AbortSignal) =>
      wire.send({
        method: routes.listLayers.method,
        path: routes.listLayers.path(id),
        token,
        body: [],
        timeoutMs: patience,
        signal,
      }) as Promise<Output<typeof listLayers>>,

    saveLayer: (step: number, body: Readable, signal: AbortSignal) =>
      put(routes.saveLayer.path(id) + query({ step: String(step) }), body, signal),

    readLayer: (layer: string, signal: AbortSignal) => resumed(wire, routes.readLayer.path(id, layer), token, signal),

    saveArtifact: (path: string, body: Readable, signal: AbortSignal) =>
      put(routes.saveArtifact.path(id) + query({ path }), body, signal),
  }
}

/** The bytes behind an address, whole: where the connection breaks, the next one goes on. */
async function* resumed(wire: Wire, path: string, token: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  let read = 0
  for (let tries = 0; ; tries++) {
    const headers = read > 0 ? { range: `bytes=${read}-` } : {}
    let stream: Readable | undefined
    try {
      stream = await wire.download({ method: 'GET', path, token, headers, timeoutMs: patience, signal })
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        read += chunk.length
        tries = 0
        yield chunk
      }
      return
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Refused || tries >= mostTries) throw error
      await pause(backoff(tries, 100, 15_000), signal)
    } finally {
      stream?.destroy()
    }
  }
}

/** Does something from its start as often as the server cannot be reached, within reason; says so the first time. */
export async function repeat<T>(ask: () => Promise<T>, signal: AbortSignal, say: (text: string) => void): Promise<T> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted()
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Unreachable) || tries >= mostTries) throw error
      if (tries === 0) say(`${error.message}; trying again\n`)
      await pause(backoff(tries, 200, 15_000), signal)
    }
  }
}
