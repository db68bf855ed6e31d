import type { OrganizationId, ProjectId } from '#core/ids.ts'
import { isOwnHost, type Provider } from '#core/names.ts'
import { checkName } from '#core/refs.ts'
import { later } from '#kit/brand.ts'
import { Refusal } from '#kit/refusal.ts'
import {
  insertMember,
  insertOrganization,
  organizationByName,
  type OrganizationRow,
  roleOf,
} from '#server/store/people.ts'
import { follow, insertProject, projectBySlug, type ProjectRow, slugKey } from '#server/store/projects.ts'
import type { Db, Tx } from '#server/store/schema.ts'
import { putPoll } from '#server/store/polls.ts'
import { checkGitUrl } from '#server/vcs/git-url.ts'
import { createBare } from '#server/vcs/repositories.ts'
import { providerNamed } from './addresses.ts'
import type { User } from './callers.ts'
import { addCheckoutKey, newCheckoutKey } from './checkout-keys.ts'
import { usualSeconds } from './polls.ts'
import { repositoryOf } from './repositories.ts'
import type { World } from './world.ts'

interface Wanted {
  readonly provider: Provider
  readonly organization: string
  readonly name: string
  /** Nothing: the built-in git host has it. */
  readonly url: string | null
}

/** The project that a push goes to; the first push makes it, its organization, and the pusher its owner and follower. */
export async function projectForPush(
  world: World,
  user: User,
  organization: string,
  name: string,
): Promise<ProjectRow> {
  const provider = world.terms.hostedAs
  const known = await projectBySlug(world.db, provider, organization, name)
  if (known) return known
  return makeProject(world, user, { provider, organization, name, url: null })
}

/** Adds a project whose repository lives elsewhere; its new checkout key must be allowed to read there. */
export async function addProject(
  world: World,
  user: User,
  url: string,
  organization: string,
  name: string,
  provider?: string,
) {
  checkGitUrl(url)
  const code = provider === undefined ? world.terms.hostedAs : providerNamed(world, provider)
  if (!code) throw new Refusal('invalid', `Cannot add a project as there must be a provider ${provider}: there is none`)
  const project = await makeProject(world, user, { provider: code, organization, name, url })
  const key = newCheckoutKey(world, project, user, 'deploy')
  await world.db.transaction().execute(async (tx) => {
    await addCheckoutKey(tx, key)
    // Not at once: its owner has yet to let the key in.
    const next_at = later(world.now(), usualSeconds * 1000)
    await putPoll(tx, { project_id: project.id, every_seconds: usualSeconds, next_at, failures: 0 })
  })
  return { project, publicKey: key.public_key, fingerprint: key.fingerprint }
}

/** Adds a project to an organization. The built-in git host has its repository, and the first push fills it. */
export async function addHostedProject(
  world: World,
  user: User,
  organization: OrganizationRow,
  name: string,
): Promise<ProjectRow> {
  if (organization.provider !== world.terms.hostedAs)
    throw new Refusal(
      'invalid',
      `Cannot add project ${name} as the repositories of ${organization.name} lie at its provider: its address must be given`,
    )
  const wanted = { provider: world.terms.hostedAs, organization: organization.name, name, url: null }
  if (await projectBySlug(world.db, wanted.provider, wanted.organization, name))
    throw new Refusal('conflict', `Cannot add project ${organization.name}/${name}: it exists`)
  return makeProject(world, user, wanted)
}

async function makeProject(world: World, user: User, wanted: Wanted): Promise<ProjectRow> {
  checkName('organization', wanted.organization)
  checkName('repository', wanted.name)
  const id = world.newId() as ProjectId
  // The folder first: a row without a repository would be worse than a folder without a row.
  if (wanted.url === null) await createBare(repositoryOf(world, { id }))
  return world.db.transaction().execute(async (tx) => {
    const at = world.now()
    const organization = await organizationFor(world, tx, user, wanted)
    const made = await insertProject(tx, {
      id,
      organization_id: organization.id,
      provider: wanted.provider,
      organization: organization.name,
      name: wanted.name,
      key: wanted.name.toLowerCase(),
      slug: slugKey(wanted.provider, organization.name, wanted.name),
      default_branch: 'main',
      url: wanted.url,
      public: 0,
      last_pipeline: 0,
      last_job: 0,
      settings: '{}',
      named_as: organization.named_as !== null && isOwnHost(organization.named_as) ? organization.named_as : null,
      gone_at: null,
      gone_by: null,
      created_at: at,
    })
    if (!made && wanted.url !== null)
      throw new Refusal('conflict', `Cannot add project ${wanted.organization}/${wanted.name}: it exists`)
    const project = await projectBySlug(tx, wanted.provider, wanted.organization, wanted.name)
    if (!project) throw new Error(`Cannot find project ${id} that was just made`)
    if (made) await follow(tx, user.id, id, at)
    return project
  })
}

/** Refuses a user who may not make a project in an organization; one that does not exist yet would be their own. */
export async function checkMayMake(world: World, user: User, organization: string): Promise<void> {
  const known = await organizationByName(world.db, world.terms.hostedAs, organization)
  if (known) await checkRole(world.db, user, known)
}

async function checkRole(db: Db, user: User, organization: OrganizationRow): Promise<void> {
  const role = await roleOf(db, { user: user.id, organization: organization.id })
  if (user.user.admin !== 1 && role?.role !== 'owner' && role?.role !== 'member')
    throw new Refusal('forbidden', 'Permission denied')
}

async function organizationFor(world: World, tx: Tx, user: User, wanted: Wanted): Promise<OrganizationRow> {
  const known = await organizationByName(tx, wanted.provider, wanted.organization)
  if (known) {
    await checkRole(tx, user, known)
    return known
  }
  const at = world.now()
  const made: OrganizationRow = {
    id: world.newId() as OrganizationId,
    provider: wanted.provider,
    name: wanted.organization,
    key: wanted.organization.toLowerCase(),
    created_at: at,
    named_as: null,
  }
  // Somebody was faster: then it is theirs, and whoever comes second needs their leave.
  if (!(await insertOrganization(tx, made))) return organizationFor(world, tx, user, wanted)
  await insertMember(tx, { organization_id: made.id, user_id: user.id, role: 'owner', created_at: at })
  return made
}
