import { pause } from '#kit/backoff.ts'
import pg from 'pg'

const channel = 'roundhouse'

/** Topics between servers, over LISTEN and NOTIFY. Reconnects by itself; what is rung meanwhile is lost, and found by looking. */
export async function openWire(url: string, heard: (topic: string) => void) {
  let closed = false
  let client: pg.Client | undefined
  const waiting = new Set<string>()
  let sending = false

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString: url })
    fresh.on('notification', ({ payload }) => payload !== undefined && heard(payload))
    fresh.on('error', () => {})
    fresh.on('end', () => {
      if (closed || client !== fresh) return
      client = undefined
      void reconnect()
    })
    await fresh.connect()
    await fresh.query(`listen ${channel}`)
    client = fresh
    if (!sending) void flush()
  }

  async function reconnect(): Promise<void> {
    while (!closed && client === undefined) {
      await pause(500)
      await connect().catch(() => {})
    }
  }

  async function flush(): Promise<void> {
    sending = true
    while (waiting.size > 0 && client && !closed) {
      const topics = [...waiting]
      waiting.clear()
      await client
        .query(`select pg_notify('${channel}', topic) from unnest($1::text[]) as topic`, [topics])
        .catch(() => {})
    }
    sending = false
  }

  await connect()
  return {
    send(topic: string): void {
      waiting.add(topic)
      if (!sending) void flush()
    },
    async close(): Promise<void> {
      closed = true
      await client?.end().catch(() => {})
    },
  }
}
