import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { useParams } from 'react-router'
import { projectSettingsPage, slugText } from '#web/address.ts'
import { NotFoundPage } from '#web/pages/not-found-page.tsx'
import { useSlug } from '#web/pages/use-slug.ts'
import { Crumbs } from '#web/parts/crumbs.tsx'
import { ProjectHead } from '#web/parts/project-head.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { SideNav } from '#web/parts/side-nav.tsx'
import { accessQuery } from '#web/read/settings-queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { BadgeSection } from './badge-section.tsx'
import { BuildSection } from './build-section.tsx'
import { CacheSection } from './cache-section.tsx'
import { ChatSection } from './chat-section.tsx'
import { ConnectionSection } from './connection-section.tsx'
import { KeySection } from './key-section.tsx'
import { LimitSection } from './limit-section.tsx'
import { ProjectTokenSection } from './project-token-section.tsx'
import { QuarantineSection } from './quarantine-section.tsx'
import { ScheduleSection } from './schedule-section.tsx'
import type { SectionProps } from './section-props.ts'
import { VariableSection } from './variable-section.tsx'
import { WebhookSection } from './webhook-section.tsx'

interface Section {
  readonly group: string
  readonly word: string
  readonly name: string
  readonly view: ComponentType<SectionProps>
}

const sections: readonly Section[] = [
  { group: 'Runs', word: 'connection', name: 'Connection', view: ConnectionSection },
  { group: 'Runs', word: 'schedules', name: 'Schedules', view: ScheduleSection },
  { group: 'Runs', word: 'builds', name: 'Builds and forks', view: BuildSection },
  { group: 'Runs', word: 'limits', name: 'Limits', view: LimitSection },
  { group: 'Secrets', word: 'variables', name: 'Variables', view: VariableSection },
  { group: 'Secrets', word: 'keys', name: 'Keys', view: KeySection },
  { group: 'Secrets', word: 'tokens', name: 'Tokens', view: ProjectTokenSection },
  { group: 'Telling others', word: 'webhooks', name: 'Webhooks', view: WebhookSection },
  { group: 'Telling others', word: 'chat', name: 'Chat', view: ChatSection },
  { group: 'Telling others', word: 'badges', name: 'Badges', view: BadgeSection },
  { group: 'Housekeeping', word: 'caches', name: 'Caches', view: CacheSection },
  { group: 'Housekeeping', word: 'quarantine', name: 'Quarantined tests', view: QuarantineSection },
]

const why = 'You may look at this project and not change it. Ask an owner of its organization to make you a member.'

/** The settings of a project, one section at a time. */
export function ProjectSettingsPage() {
  const slug = useSlug()
  const { section: word = 'variables' } = useParams()
  const section = sections.find((one) => one.word === word)
  const access = useQuery(accessQuery(slug))
  useTitle(`${section?.name ?? 'Settings'} · ${slug.org}/${slug.repo}`)
  if (!section) return <NotFoundPage />
  const items = sections.map((one) => ({
    group: one.group,
    name: one.name,
    to: projectSettingsPage(slug, one.word),
    current: one === section,
  }))
  return (
    <>
      <Crumbs trail={[{ name: 'Dashboard', to: '/' }]} />
      <ProjectHead slug={slug} />
      <SideNav name="Settings" sections={items}>
        <QueryView query={access}>
          {(found) => (
            <section.view
              key={slugText(slug)}
              slug={slug}
              access={found}
              refused={found.may_configure ? undefined : why}
            />
          )}
        </QueryView>
      </SideNav>
    </>
  )
}
