import type { Readable } from 'node:stream'
import type { findCache, saveCache } from '#contract/agent/cache.ts'
import type { lendArchive } from '#contract/agent/exchange.ts'
import type { listLayers } from '#contract/agent/workspace.ts'
import type { Input, Output } from '#contract/endpoint.ts'
import { backoff, pause } from '#kit/backoff.ts'
import type { Exchange } from './exchange.ts'
import { routes } from './routes.ts'
import { Refused, Unreachable, type Wire } from './wire.ts'

/** How long a connection may stand still before it counts as dead. */
const patience = 120_000
/** How often something is begun anew that broke off without having come any further: about four minutes. */
const mostTries = 20

type Kind = Input<typeof lendArchive>['body']['kind']

/**
 * What a job may keep on the server, and get back. Each once: `repeat` tries again. Archives go through the exchange
 * where there is one; their pieces are the receiver's own, both ways.
 */
export function openStorage(wire: Wire, id: string, token: string, exchange?: Exchange) {
  const query = (values: Record<string, string>) => `?${new URLSearchParams(values).toString()}`
  const put = (path: string, body: AsyncIterable<Buffer>, signal: AbortSignal) =>
    wire.upload({ method: 'PUT', path, token, timeoutMs: patience, signal }, body)
  const ask = (route: { readonly method: string }, path: string, body: unknown, signal: AbortSignal) => {
    const bytes = body === undefined ? [] : [Buffer.from(JSON.stringify(body))]
    return wire.send({ method: route.method, path, token, body: bytes, timeoutMs: patience, signal })
  }

  /** Lays an archive into the exchange and says where, or sends it where the server cannot take it from there. */
  async function handIn(
    archive: Readable,
    say: (file: string) => Promise<unknown>,
    send: (archive: AsyncIterable<Buffer>) => Promise<unknown>,
  ): Promise<unknown> {
    if (!exchange) return send(archive)
    const file = exchange.newName()
    try {
      await exchange.write(file, archive)
      return await say(file).catch((error: unknown) => {
        if (!isElsewhere(error)) throw error
        return send(exchange.read(file))
      })
    } finally {
      archive.destroy()
      await exchange.remove(file)
    }
  }

  async function* read(kind: Kind, archive: string, path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    const file = exchange?.newName()
    if (exchange && file !== undefined) {
      try {
        const body = { kind, archive, file }
        await repeat(
          () => ask(routes.lendArchive, routes.lendArchive.path(id), body, signal),
          signal,
          () => {},
        )
        return yield* exchange.read(file)
      } catch (error) {
        if (!isElsewhere(error)) throw error
      } finally {
        await exchange.remove(file)
      }
    }
    yield* resumed(wire, path, token, signal)
  }

  return {
    findCache: (keys: readonly string[], exact: boolean, signal: AbortSignal, more = false) =>
      ask(routes.findCache, routes.findCache.path(id), { keys, exact, more }, signal) as Promise<
        Output<typeof findCache>
      >,

    saveCache: (key: string, archive: Readable, signal: AbortSignal) =>
      handIn(
        archive,
        (file) => ask(routes.handInCache, routes.handInCache.path(id), { key, file }, signal),
        (bytes) => put(routes.saveCache.path(id) + query({ key }), bytes, signal),
      ) as Promise<Output<typeof saveCache>>,

    readCache: (cache: string, signal: AbortSignal) => read('cache', cache, routes.readCache.path(id, cache), signal),

    listLayers: (signal: AbortSignal) =>
      ask(routes.listLayers, routes.listLayers.path(id), undefined, signal) as Promise<Output<typeof listLayers>>,

    saveLayer: (step: number, archive: Readable, signal: AbortSignal) =>
      handIn(
        archive,
        (file) => ask(routes.handInLayer, routes.handInLayer.path(id), { step, file }, signal),
        (bytes) => put(routes.saveLayer.path(id) + query({ step: String(step) }), bytes, signal),
      ),

    readLayer: (layer: string, signal: AbortSignal) => read('layer', layer, routes.readLayer.path(id, layer), signal),

    saveArtifact: (path: string, body: AsyncIterable<Buffer>, signal: AbortSignal) =>
      put(routes.saveArtifact.path(id) + query({ path }), body, signal),

    /** Many small ones at once. */
    saveArtifacts: (files: readonly SmallFile[], signal: AbortSignal) => {
      const index = Buffer.from(`${JSON.stringify(files.map(({ path, bytes }) => [path, bytes.length]))}\n`)
      const body = [index, ...files.map(({ bytes }) => bytes)]
      const headers = { 'content-type': 'application/octet-stream' }
      const path = routes.saveArtifacts.path(id)
      return wire.send({ method: 'PUT', path, token, body, headers, timeoutMs: patience, signal })
    },
  }
}

/** A file that is small enough to be held in memory. */
export interface SmallFile {
  readonly path: string
  readonly bytes: Buffer
}

/** The server cannot look into our folder, or does not know how to: it must be sent. */
const isElsewhere = (error: unknown) => error instanceof Refused && (error.status === 409 || error.status === 404)

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
