import { Refusal } from '#kit/refusal.ts'
import { claimsOf, claimsOfBoth, type ClaimsRow, putClaims } from '#server/store/identity-claims.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { World } from './world.ts'

export type { ClaimsRow }

/** Which claims can be chosen. */
export type ClaimName = 'audience' | 'ttl'

/** What is wanted anew. */
export interface ClaimsForm {
  readonly audience?: readonly string[] | undefined
  readonly ttl?: string | undefined
}

const none = (subject_id: string): ClaimsRow => ({
  subject_id,
  audience: null,
  audience_at: null,
  ttl: null,
  ttl_at: null,
})

/** What an organization or a project wants; whoever calls has seen to it that the caller may know. */
export const findClaims = async ({ db }: World, subject: string): Promise<ClaimsRow> =>
  (await claimsOf(db, { subject })) ?? none(subject)

/** Changes what is given. */
export async function changeClaims(world: World, subject: string, { audience, ttl }: ClaimsForm): Promise<ClaimsRow> {
  if (ttl !== undefined) secondsOf(ttl)
  return keep(world, subject, (at) => ({
    ...(audience && { audience: JSON.stringify(audience), audience_at: at }),
    ...(ttl !== undefined && { ttl, ttl_at: at }),
  }))
}

/** Takes some back: then what holds for all holds again. */
export const dropClaims = (world: World, subject: string, names: readonly ClaimName[]): Promise<ClaimsRow> =>
  keep(world, subject, (at) => ({
    ...(names.includes('audience') && { audience: null, audience_at: at }),
    ...(names.includes('ttl') && { ttl: null, ttl_at: at }),
  }))

function keep(world: World, subject: string, change: (at: string) => Partial<ClaimsRow>): Promise<ClaimsRow> {
  return world.db.transaction().execute(async (tx) => {
    const before = (await claimsOf(tx, { subject })) ?? none(subject)
    const row = { ...before, ...change(world.now()) }
    await putClaims(tx, row)
    return row
  })
}

/** What holds for the jobs of a project: its own wish before that of its organization. */
export async function claimsFor({ db }: World, project: ProjectRow) {
  const rows = await claimsOfBoth(db, { organization: project.organization_id, project: project.id })
  const [own, shared] = [project.id, project.organization_id].map((id) => rows.find((row) => row.subject_id === id))
  const audience = own?.audience ?? shared?.audience
  const ttl = own?.ttl ?? shared?.ttl
  return {
    audience: audience == null ? undefined : (JSON.parse(audience) as readonly string[]),
    seconds: ttl == null ? undefined : secondsOf(ttl),
  }
}

const units: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
const [least, most] = [60, 86_400]

function secondsOf(ttl: string): number {
  const parts = [...ttl.matchAll(/(\d+)(ms|s|m|h|d|w)/g)]
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0), 0)
  if (seconds < least || seconds > most)
    throw new Refusal('invalid', `Cannot keep ttl ${ttl} as it must be between a minute and a day: it is ${seconds} s`)
  return Math.floor(seconds)
}
