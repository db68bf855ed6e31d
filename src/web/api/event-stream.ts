import { backoff } from '#kit/backoff.ts'

/** What to do with the events of a stream. */
export interface Listener {
  /** Where to listen: asked again for each connection, so that a stream goes on where it broke. */
  readonly address: () => string
  readonly events: Readonly<Record<string, (event: MessageEvent<string>) => void>>
  /** Called on each connection, with `true` for all but the first. */
  readonly onOpen?: (again: boolean) => void
  /** Called when a connection breaks; the next attempt is already on its way. */
  readonly onLost?: () => void
}

/**
 * Listens until told to stop, by the function it returns. Connections are made by hand rather than left to
 * `EventSource`, which gives up for good on an answer that is not a stream (a proxy during a restart).
 */
export function listen({ address, events, onOpen, onLost }: Listener): () => void {
  let stopped = false
  let failures = 0
  let opened = false
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const connect = () => {
    source = new EventSource(address())
    source.addEventListener('open', () => {
      failures = 0
      onOpen?.(opened)
      opened = true
    })
    source.addEventListener('error', () => {
      source?.close()
      if (stopped) return
      onLost?.()
      timer = setTimeout(connect, backoff(failures++, 500, 15_000))
    })
    for (const [name, handle] of Object.entries(events)) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        if (!stopped) handle(event)
      })
    }
  }

  connect()
  return () => {
    stopped = true
    clearTimeout(timer)
    source?.close()
  }
}
