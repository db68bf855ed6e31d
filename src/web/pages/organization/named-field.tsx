import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { listMembers, type Organization } from '#contract/rh/organizations.ts'
import { search } from '#contract/rh/search.ts'
import { getProject } from '#contract/v2/project.ts'
import { toSlug } from '#web/address.ts'
import { callRh, callV2 } from '#web/api/calls.ts'
import { TextField } from '#web/parts/text-field.tsx'
import { membersQuery } from '#web/read/organization-queries.ts'
import { itemsOf } from '#web/read/pages.ts'
import { useSettled } from '#web/read/use-settled.ts'

interface Props {
  readonly organization: Organization
  readonly value: string
  readonly onText: (value: string) => void
}

/** A project of an organization, by its name: those that fit are proposed as it is typed. */
export function ProjectField({ organization, value, onText }: Props) {
  const id = useId()
  const words = useSettled(value.trim(), 150)
  const q = words === '' ? organization.name : words
  const { data } = useQuery({
    queryKey: ['projects-of', organization.id, q],
    queryFn: ({ signal }) => callRh(search, { query: { q, kind: 'project' } }, { signal }),
    staleTime: 10_000,
  })
  const own = data?.items.filter(({ project_slug }) => project_slug.startsWith(`${organization.slug}/`)) ?? []
  return (
    <>
      <TextField label="Project" required list={id} hint="Type a part of its name." value={value} onText={onText} />
      <datalist id={id}>
        {own.map(({ project_slug }) => (
          <option key={project_slug} value={toSlug(project_slug).repo} />
        ))}
      </datalist>
    </>
  )
}

/** The id of the project of that name. */
export async function projectId(organization: Organization, name: string): Promise<string> {
  const params = toSlug(`${organization.slug}/${name.trim()}`)
  return (await callV2(getProject, { params: { ...params } })).id
}

/** Somebody of an organization, by their login. */
export function MemberField({ organization, value, onText }: Props) {
  const id = useId()
  const members = useInfiniteQuery(membersQuery(organization.id))
  return (
    <>
      <TextField label="Person" required list={id} hint="Their login." value={value} onText={onText} />
      <datalist id={id}>
        {members.data &&
          itemsOf(members.data).map(({ login, name }) => (
            <option key={login} value={login}>
              {name}
            </option>
          ))}
      </datalist>
    </>
  )
}

/** More pages than this are not looked through for one login. */
const mostPages = 100

/** The id of the member of that login. */
export async function memberId({ id, name }: Organization, login: string): Promise<string> {
  const wanted = login.trim().toLowerCase()
  let token: string | null = ''
  for (let page = 0; page < mostPages && token !== null; page++) {
    const query: { 'page-token'?: string } = token === '' ? {} : { 'page-token': token }
    const answer: Awaited<ReturnType<typeof readMembers>> = await readMembers(id, query)
    const found = answer.items.find((member) => member.login.toLowerCase() === wanted)
    if (found) return found.id
    token = answer.next_page_token
  }
  throw new Error(`Nobody of ${name} has the login ${login}. Choose one of those that are proposed.`)
}

const readMembers = (organization: string, query: { 'page-token'?: string }) =>
  callRh(listMembers, { params: { organization_id: organization }, query })
