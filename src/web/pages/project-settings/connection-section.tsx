import { useQuery } from '@tanstack/react-query'
import { createReceiver } from '#contract/rh/receivers.ts'
import { callRh } from '#web/api/calls.ts'
import { Receivers } from '#web/pages/receivers.tsx'
import { SectionHead } from '#web/parts/section-head.tsx'
import { projectQuery } from '#web/read/queries.ts'
import { receiversQuery } from '#web/read/housekeeping-queries.ts'
import { Polling } from './polling.tsx'
import { ProviderToken } from './provider-token.tsx'
import type { SectionProps } from './section-props.ts'

/** How a project hears of pushes, and how its provider hears of what came of them. */
export function ConnectionSection(props: SectionProps) {
  const { slug, access, refused } = props
  const { data: project } = useQuery(projectQuery(slug))
  const receivers = useQuery({ ...receiversQuery(slug), enabled: access.may_configure && !access.hosted })
  const url = project?.vcs_info.vcs_url
  if (access.hosted)
    return (
      <SectionHead
        name="Connection"
        about="The repository of this project lives on this server: every push to it is built at once, and there is nothing to connect."
      />
    )
  return (
    <>
      <SectionHead name="Connection" about={url !== undefined && <code>{url}</code>} refused={refused} />
      <Receivers
        receivers={receivers}
        about="With an address of its own the provider tells of every push at once. Without one, the repository is looked at now and then."
        make={() => callRh(createReceiver, { params: { ...slug } })}
        refused={refused}
      />
      <ProviderToken {...props} />
      <Polling {...props} />
    </>
  )
}
