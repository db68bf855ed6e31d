import type { Organization } from '#contract/rh/organizations.ts'

/** What every section of an organization is given. */
export interface OrganizationProps {
  readonly organization: Organization
  /** Why the reader may not do what owners do; nothing where they may. */
  readonly notOwner: string | undefined
  /** Why the reader may not do what members do; nothing where they may. */
  readonly notMember: string | undefined
}
