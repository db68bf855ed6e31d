import { timeIn } from '#kit/brand.ts'
import { firstUuidAt } from '#kit/uuid.ts'
import { auditBefore, type AuditRow, insertAudit } from '#server/store/audit.ts'
import type { App } from './app.ts'
import type { Caller } from './callers.ts'
import { organizationFor } from './organizations.ts'

export type { AuditRow }

/** Something that somebody did. Names and ids only: a secret must not come here. */
export interface Deed {
  readonly action: string
  readonly target: string
  /** Where it came from. */
  readonly address: string
  readonly organization?: string | undefined
  /** Whom it is told of, where that is not the caller: somebody who was not signed in before. */
  readonly actor?: { readonly id: string; readonly login: string } | undefined
}

/** Keeps who did what. Its failure is told to the log and undoes nothing: the deed is done. */
export async function noteDeed({ world }: App, caller: Caller, deed: Deed): Promise<void> {
  const actor = deed.actor ?? actorOf(caller)
  const row = {
    id: world.newId(),
    organization_id: deed.organization ?? null,
    actor_id: actor.id,
    actor: actor.login,
    action: deed.action,
    target: deed.target.slice(0, 500),
    address: deed.address.slice(0, 100),
    created_at: world.now(),
  }
  try {
    await world.db.transaction().execute((tx) => insertAudit(tx, row))
  } catch (error) {
    world.log.error('A deed cannot be noted', { action: deed.action, error: String(error) })
  }
}

function actorOf(caller: Caller): { readonly id: string | null; readonly login: string } {
  switch (caller.kind) {
    case 'user':
      return { id: caller.id, login: caller.user.login }
    case 'project':
      return { id: null, login: `token of project ${caller.project}` }
    default:
      return { id: null, login: caller.kind }
  }
}

const pageSize = 50
/** So many entries are looked through for one page of those that somebody looks for; a token goes on behind them. */
const lookedThrough = 1_000

/** Which deeds are looked for. */
export interface DeedFilter {
  readonly actor?: string | undefined
  /** Words that the action or the target holds, all of them. */
  readonly words?: string | undefined
  /** Only what was done before. */
  readonly until?: string | undefined
}

/** What was done in an organization, for its owners; in the whole installation where none is named, for administrators. */
export async function listDeeds(
  app: App,
  caller: Caller,
  id: string | undefined,
  wanted: DeedFilter,
  token: string | undefined,
) {
  const organization = id === undefined ? undefined : (await organizationFor(app.world, caller, 'owner', { id })).id
  const list = `audit:${organization ?? ''}`
  const page = app.cursors.read(list, token, { ...wanted })
  const { actor, words, until } = page?.filter ?? wanted
  const all = actor === undefined && words === undefined
  const most = all ? pageSize : lookedThrough
  const before = page?.after ?? (until === undefined ? undefined : firstUuidAt(timeIn(until)))
  const rows = await auditBefore(app.world.db, organization, before, most + 1)
  const seen = rows.slice(0, most)
  const found = all ? seen : seen.filter(fits(actor, words))
  const items = found.slice(0, pageSize)
  // Behind the last that is shown, where not all that were found are; else behind the last that was looked at.
  const last = found.length > pageSize ? items.at(-1) : rows.length > most ? seen.at(-1) : undefined
  return { items, next: last ? app.cursors.write(list, { after: last.id, filter: { actor, words, until } }) : null }
}

function fits(actor = '', words = ''): (row: AuditRow) => boolean {
  const who = actor.toLowerCase()
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean)
  return (row) => {
    const text = `${row.action} ${row.target}`.toLowerCase()
    return (who === '' || row.actor.toLowerCase() === who) && parts.every((part) => text.includes(part))
  }
}
