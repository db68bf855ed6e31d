import { useLocation } from 'react-router'
import { insightsPage, pipelinesPage, projectSettingsPage, runPage, type Slug } from '#web/address.ts'
import { Tabs } from './tabs.tsx'

/** The pages of a project, on each of them. */
export function ProjectTabs({ slug }: { readonly slug: Slug }) {
  const { pathname } = useLocation()
  const tabs = [
    { name: 'Pipelines', to: pipelinesPage(slug) },
    { name: 'Insights', to: insightsPage(slug) },
    { name: 'Run', to: runPage(slug) },
    { name: 'Settings', to: projectSettingsPage(slug) },
  ]
  return (
    <Tabs
      name={`Pages of ${slug.repo}`}
      tabs={tabs.map((tab) => ({ ...tab, current: pathname === tab.to || pathname.startsWith(`${tab.to}/`) }))}
    />
  )
}

/** The name of a project as a heading, and its pages. */
export function ProjectHead({ slug }: { readonly slug: Slug }) {
  return (
    <>
      <div className="heading">
        <h1>
          <span className="soft">{slug.org} / </span>
          {slug.repo}
        </h1>
      </div>
      <ProjectTabs slug={slug} />
    </>
  )
}
