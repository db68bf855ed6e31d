import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { NotFoundPage } from '#web/pages/not-found-page.tsx'
import { Crumbs } from '#web/parts/crumbs.tsx'
import { SideNav } from '#web/parts/side-nav.tsx'
import { sessionQuery } from '#web/read/queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { AgentSection } from './agent-section.tsx'
import { AuditSection } from './audit-section.tsx'
import { UserSection } from './user-section.tsx'

const sections = [
  { word: 'agents', name: 'Agents', view: AgentSection },
  { word: 'users', name: 'Users', view: UserSection },
  { word: 'audit', name: 'Audit log', view: AuditSection },
] as const

/** What administrators look after: the whole installation. */
export function InstallationPage() {
  const { section: word = 'agents' } = useParams()
  const { data: user } = useQuery(sessionQuery)
  const section = sections.find((one) => one.word === word)
  useTitle(`${section?.name ?? 'Installation'} · Installation`)
  if (!section) return <NotFoundPage />
  return (
    <>
      <Crumbs trail={[{ name: 'Organizations', to: '/organizations' }]} />
      <h1>This installation</h1>
      <SideNav
        name="Pages of this installation"
        sections={sections.map((one) => ({
          name: one.name,
          to: `/installation/${one.word}`,
          current: one === section,
        }))}
      >
        <section.view
          organization={undefined}
          refused={user?.admin ? undefined : 'Only administrators of this installation may see this. Ask one of them.'}
        />
      </SideNav>
    </>
  )
}
