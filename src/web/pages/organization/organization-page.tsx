import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { useParams } from 'react-router'
import { organizationPage } from '#web/address.ts'
import { LimitForm } from '#web/pages/limit-form.tsx'
import { NotFoundPage } from '#web/pages/not-found-page.tsx'
import { Crumbs } from '#web/parts/crumbs.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SideNav } from '#web/parts/side-nav.tsx'
import { organizationQuery } from '#web/read/organization-queries.ts'
import { sessionQuery } from '#web/read/queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { AgentSection } from './agent-section.tsx'
import { AuditSection } from './audit-section.tsx'
import { ContextSection } from './context-section.tsx'
import { MemberSection } from './member-section.tsx'
import { OrganizationConnection } from './organization-connection.tsx'
import type { OrganizationProps } from './organization-props.ts'

interface Section {
  readonly word: string
  readonly name: string
  readonly view: ComponentType<OrganizationProps>
}

const sections: readonly Section[] = [
  { word: 'members', name: 'Members', view: MemberSection },
  { word: 'contexts', name: 'Contexts', view: ContextSection },
  { word: 'connection', name: 'Connection', view: OrganizationConnection },
  { word: 'agents', name: 'Agents', view: OwnAgents },
  { word: 'limits', name: 'Limits', view: OwnLimits },
  { word: 'audit', name: 'Audit log', view: OwnAudit },
]

/** An organization, one section at a time. */
export function OrganizationPage() {
  const { id = '', section: word = 'members' } = useParams()
  const organization = useQuery(organizationQuery(id))
  const { data: user } = useQuery(sessionQuery)
  const section = sections.find((one) => one.word === word)
  useTitle(`${section?.name ?? 'Organization'} · ${organization.data?.name ?? ''}`)
  if (!section) return <NotFoundPage />
  return (
    <>
      <Crumbs trail={[{ name: 'Organizations', to: '/organizations' }]} />
      <QueryView query={organization}>
        {(found) => {
          const may = (...roles: readonly string[]) => user?.admin === true || roles.includes(found.role ?? '')
          return (
            <>
              <h1>{found.name}</h1>
              <SideNav
                name={`Pages of ${found.name}`}
                sections={sections.map((one) => ({
                  name: one.name,
                  to: organizationPage(id, one.word),
                  current: one === section,
                }))}
              >
                <section.view
                  key={found.id}
                  organization={found}
                  notOwner={may('owner') ? undefined : 'Only owners of this organization may do this. Ask one of them.'}
                  notMember={
                    may('owner', 'member') ? undefined : 'Only members of this organization may do this. Ask an owner.'
                  }
                />
              </SideNav>
            </>
          )
        }}
      </QueryView>
    </>
  )
}

function OwnAgents({ organization, notOwner }: OrganizationProps) {
  return <AgentSection organization={organization.id} refused={notOwner} />
}

function OwnLimits({ organization, notOwner }: OrganizationProps) {
  return <LimitForm subject="organization" id={organization.id} refused={notOwner} />
}

function OwnAudit({ organization, notOwner }: OrganizationProps) {
  return <AuditSection organization={organization.id} refused={notOwner} />
}
