import { insertMember, insertOrganization, organizationById } from '#server/store/people.ts'
import { insertProject } from '#server/store/projects.ts'
import type { Tx } from '#server/store/schema.ts'

/** A project of acme, and an organization like acme, that are there before every request, so that each may delete them. */
export const doomed = {
  project: '018f0000-0000-7000-8000-00000000000d',
  organization: '018f0000-0000-7000-8000-00000000000e',
} as const

/** Puts them (back) where they are looked for. */
export async function putDoomed(tx: Tx, acme: string, at: string): Promise<void> {
  const like = await organizationById(tx, { id: acme })
  if (!like) throw new Error(`Cannot find organization ${acme}`)
  await insertOrganization(tx, { ...like, id: doomed.organization, name: 'doomed', key: 'doomed' })
  const members = await tx.selectFrom('members').selectAll().where('organization_id', '=', acme).execute()
  for (const member of members) await insertMember(tx, { ...member, organization_id: doomed.organization })
  // One that was deleted stays until it is cleared away, which nobody does while requests are tried.
  await tx.deleteFrom('projects').where('id', '=', doomed.project).where('gone_at', 'is not', null).execute()
  await insertProject(tx, {
    id: doomed.project,
    organization_id: acme,
    provider: like.provider,
    organization: like.name,
    name: 'doomed',
    key: 'doomed',
    slug: `${like.provider}/${like.key}/doomed`,
    default_branch: 'main',
    url: null,
    public: 0,
    last_pipeline: 0,
    last_job: 0,
    settings: '{}',
    created_at: at,
  })
}
