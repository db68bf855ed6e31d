import { request } from 'node:http'

/** What a reader has when a log has ended. */
export interface Followed {
  readonly bytes: Buffer
  /** The size that the end told. */
  readonly size: number
}

/** Follows a log as a browser does: events of base64 until the end. */
export function followLog(base: string, path: string, token: string) {
  const ended = Promise.withResolvers<Followed>()
  const watchers = new Set<() => void>()
  const parts: Buffer[] = []
  let unread = ''
  const bytes = () => Buffer.concat(parts)
  const asked = request(base + path, { headers: { 'service-token': token } }, (answer) => {
    if (answer.statusCode !== 200) return ended.reject(new Error(`Cannot follow ${path}: ${answer.statusCode}`))
    answer.setEncoding('utf8')
    answer.on('data', (text: string) => {
      const events = (unread + text).split('\n\n')
      unread = events.pop() ?? ''
      for (const event of events) take(event)
      for (const look of watchers) look()
    })
    answer.on('end', () => ended.reject(new Error('Cannot find the end of the log')))
    answer.on('error', ended.reject)
  })
  asked.setTimeout(120_000, () => asked.destroy(new Error('Cannot wait longer for the log')))
  asked.on('error', ended.reject)
  asked.end()

  function take(event: string): void {
    const data = /^data: (.*)$/m.exec(event)?.[1] ?? ''
    if (event.startsWith('event: log')) parts.push(Buffer.from(data, 'base64'))
    if (event.startsWith('event: end'))
      ended.resolve({ bytes: bytes(), size: (JSON.parse(data) as { readonly size: number }).size })
  }

  return {
    ended: ended.promise,
    /** Resolves when that text has come. */
    seen: (text: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (bytes().includes(text)) resolve()
        }
        watchers.add(look)
        ended.promise.then(look, reject)
        look()
      }),
  }
}
