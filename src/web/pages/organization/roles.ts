import type { Member } from '#contract/rh/organizations.ts'

/** What somebody can be in an organization, as a person says it. */
export const roles: Readonly<Record<Member['role'], string>> = {
  owner: 'Owner',
  member: 'Member',
  viewer: 'Viewer',
}
