import { useQuery } from '@tanstack/react-query'
import { createOrganizationReceiver } from '#contract/rh/receivers.ts'
import { callRh } from '#web/api/calls.ts'
import { Receivers } from '#web/pages/receivers.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { organizationReceiversQuery } from '#web/read/housekeeping-queries.ts'
import type { OrganizationProps } from './organization-props.ts'

/** How an organization hears of pushes to all its repositories. */
export function OrganizationConnection({ organization, notOwner }: OrganizationProps) {
  const { id } = organization
  const receivers = useQuery({ ...organizationReceiversQuery(id), enabled: notOwner === undefined })
  return (
    <>
      <SectionHead
        name="Connection"
        about="Repositories on this server need none of this. Those elsewhere can tell of their pushes, all at one address."
        refused={notOwner}
      />
      <Receivers
        receivers={receivers}
        about="One address for all projects: enter it at the provider as a webhook of the whole organization, where there is such a thing."
        make={() => callRh(createOrganizationReceiver, { params: { organization_id: id } })}
        refused={notOwner}
      />
    </>
  )
}
