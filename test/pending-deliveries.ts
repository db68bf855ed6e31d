import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { uuidv7 } from '#kit/uuid.ts'

/** What is to wait, for whom. */
export interface Pending {
  readonly origin: string
  /** The first is there; so many in all are made from it. */
  readonly webhooks: number
  readonly count: number
  readonly bodyOf: (event: string) => string
}

/** Writes deliveries that wait into the database of a server that is not running, in turn for each webhook; says their event ids. */
export function writePending(folder: string, { origin, webhooks, count, bodyOf }: Pending): readonly string[] {
  const db = new DatabaseSync(join(folder, 'roundhouse.db'))
  const now = new Date().toISOString()
  const [hook] = db.prepare('select * from webhooks').all() as [Record<string, string | number>]
  const names = Object.keys(hook)
  const copy = db.prepare(`insert into webhooks (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
  const hooks = [String(hook['id'])]
  const events: string[] = []
  db.exec('begin')
  while (hooks.length < webhooks) {
    const id = uuidv7()
    copy.run(...names.map((name) => (name === 'id' ? id : (hook[name] ?? null))))
    hooks.push(id)
  }
  const lane = db.prepare(`insert into lanes (id, kind, subject, origin, next_at) values (?, 'webhook', ?, ?, ?)`)
  for (const id of hooks) lane.run(`webhook:${id}`, id, origin, now)
  const delivery = db.prepare(
    `insert into deliveries (id, webhook_id, event_id, event_type, body, state, attempts, next_at, created_at)
     values (?, ?, ?, 'job-completed', ?, 'pending', 0, ?, ?)`,
  )
  for (let i = 0; i < count; i++) {
    const event = uuidv7()
    events.push(event)
    delivery.run(uuidv7(), hooks[i % hooks.length] ?? '', event, bodyOf(event), now, now)
  }
  db.exec('commit')
  db.close()
  return events
}
