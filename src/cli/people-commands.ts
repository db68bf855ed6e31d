import { Answered, client } from '#contract/client.ts'
import * as organizations from '#contract/rh/organizations.ts'
import * as sshKeys from '#contract/rh/ssh-keys.ts'
import * as users from '#contract/rh/users.ts'
import { allPages } from './all-pages.ts'
import { printable } from './printable.ts'

/** The server to ask, and as whom. */
export interface Connection {
  readonly server: string
  readonly token: string
}

/** A word that the server should refuse or not, as a command prints it. */
export type Told = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly text: string }

type Call = ReturnType<typeof client>
async function organizationNamed(call: Call, name: string): Promise<organizations.Organization> {
  const known = await allPages((query) => call(organizations.listOrganizations, { query }))
  const found = known.find((one) => one.slug === name || one.name === name || one.id === name)
  if (!found) throw new Error(`Cannot find organization ${name}`)
  return found
}

async function userNamed(call: Call, login: string): Promise<users.Account> {
  const known = await allPages((query) => call(users.listUsers, { query }))
  const found = known.find((one) => one.login.toLowerCase() === login.toLowerCase())
  if (!found) throw new Error(`Cannot find user ${login}`)
  return found
}

const linkText = ({ sign_in_url, expires_at }: { readonly sign_in_url: string; readonly expires_at: string }) =>
  `Sign in once, until ${expires_at}: ${sign_in_url}`

/** What the commands about people can do, each by the words a person gives it. */
const deeds = {
  'user list': async (call: Call) =>
    (await allPages((query) => call(users.listUsers, { query })))
      .map(({ login, name, admin }) => [login, name, ...(admin ? ['administrator'] : [])].join('\t'))
      .join('\n'),
  'user create': async (call: Call, login: string, admin?: string) =>
    linkText(await call(users.createUser, { body: { login, ...(admin === 'admin' && { admin: true }) } })),
  'user link': async (call: Call, login: string) =>
    linkText(await call(users.createSignInLink, { params: { id: (await userNamed(call, login)).id } })),
  'user revoke': async (call: Call, login: string) => {
    await call(users.revokeAccess, { params: { id: (await userNamed(call, login)).id } })
    return `${login} can no longer come in.`
  },
  'ssh-key list': async (call: Call) =>
    (await call(sshKeys.listUserSshKeys, {})).items
      .map(({ id, fingerprint, label }) => [id, fingerprint, label].join('\t'))
      .join('\n'),
  'ssh-key add': async (call: Call, publicKey: string, label?: string) => {
    const body = { public_key: publicKey.trim(), ...(label !== undefined && { label }) }
    const { fingerprint } = await call(sshKeys.addUserSshKey, { body })
    return `Added ${fingerprint}.`
  },
  'ssh-key delete': async (call: Call, id: string) => {
    await call(sshKeys.deleteUserSshKey, { params: { id } })
    return `Deleted ${id}.`
  },
  'org list': async (call: Call) =>
    (await allPages((query) => call(organizations.listOrganizations, { query })))
      .map(({ slug, role }) => `${slug}\t${role ?? '-'}`)
      .join('\n'),
  'org create': async (call: Call, name: string) =>
    `Made ${(await call(organizations.createOrganization, { body: { name } })).slug}.`,
  'org members': async (call: Call, name: string) => {
    const { id } = await organizationNamed(call, name)
    const members = await allPages((query) =>
      call(organizations.listMembers, { params: { organization_id: id }, query }),
    )
    return members.map(({ login, role }) => `${login}\t${role}`).join('\n')
  },
  'org set': async (call: Call, name: string, login: string, role: string) => {
    const { id } = await organizationNamed(call, name)
    const body = { role: role as organizations.Member['role'] }
    await call(organizations.setMember, { params: { organization_id: id, login }, body })
    return `${login} is ${role} of ${name}.`
  },
  'org remove': async (call: Call, name: string, login: string) => {
    const { id } = await organizationNamed(call, name)
    await call(organizations.removeMember, { params: { organization_id: id, login } })
    return `${login} is no longer in ${name}.`
  },
  'org invite': async (call: Call, name: string, login: string, role: string) => {
    const { id } = await organizationNamed(call, name)
    const body = { login, role: role as organizations.Member['role'] }
    return linkText(await call(organizations.inviteMember, { params: { organization_id: id }, body }))
  },
} as const

export type PeopleDeed = keyof typeof deeds

/** Does one of the deeds, and says what came of it. */
export async function askPeople(
  { server, token }: Connection,
  deed: PeopleDeed,
  words: readonly string[],
): Promise<Told> {
  const act = deeds[deed] as (call: Call, ...words: readonly string[]) => Promise<string>
  try {
    return { ok: true, text: printable(await act(client(`${server}/api/rh/v1`, token), ...words)) }
  } catch (error) {
    if (error instanceof Answered) return { ok: false, text: printable(error.message) }
    return { ok: false, text: error instanceof Error ? printable(error.message) : String(error) }
  }
}
