import { assertNever } from '#kit/brand.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { reportingWindows } from '#contract/v2/insights.ts'
import type { ProjectSummary } from '#contract/v2/summary.ts'
import { useSlug } from '#web/pages/use-slug.ts'
import { Crumbs } from '#web/parts/crumbs.tsx'
import { ProjectHead } from '#web/parts/project-head.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { Tabs } from '#web/parts/tabs.tsx'
import { type Insight, summaryQuery } from '#web/read/insight-queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { lengthOf } from '#web/times.ts'
import { CacheUse } from './cache-use.tsx'
import { ExportLinks } from './export-links.tsx'
import { FlakyTests } from './flaky-tests.tsx'
import { insightsAddress } from './insights-address.ts'
import { InsightFilters } from './insight-filters.tsx'
import { QueueTimes } from './queue-times.tsx'
import { percentText, windowNames } from './spans.ts'
import { WorkflowTable } from './workflow-table.tsx'
import { WorkflowView } from './workflow-view.tsx'

const views = ['workflows', 'queue', 'tests', 'caches'] as const
const viewNames = { workflows: 'Workflows', queue: 'Queue', tests: 'Tests', caches: 'Caches' } as const

/** How a project does: what ran, how often it succeeded, how long it took and waited, and which tests are in the way. */
export function InsightsPage() {
  const slug = useSlug()
  const [search] = useSearchParams()
  useTitle(`Insights · ${slug.org}/${slug.repo}`)
  const window = reportingWindows.find((one) => one === search.get('window')) ?? 'last-30-days'
  const about: Insight = { slug, window, branch: search.get('branch') ?? undefined }
  const workflow = search.get('workflow')
  const view = views.find((one) => one === search.get('view')) ?? 'workflows'
  const to = (one: (typeof views)[number]) => insightsAddress(about, one === 'workflows' ? {} : { view: one })
  return (
    <>
      <Crumbs trail={[{ name: 'Dashboard', to: '/' }]} />
      <ProjectHead slug={slug} />
      <div className="insight-bar">
        <InsightFilters about={about} kept={workflow === null ? { view } : { workflow }} />
        <ExportLinks about={about} workflow={workflow} />
      </div>
      {workflow === null ? (
        <>
          <Summary about={about} />
          <Tabs
            name="Kinds of insights"
            tabs={views.map((one) => ({ name: viewNames[one], to: to(one), current: one === view }))}
          />
          <View view={view} about={about} />
        </>
      ) : (
        <>
          <p className="back">
            <Link to={insightsAddress(about, {})}>All workflows</Link>
          </p>
          <h2>{workflow}</h2>
          <WorkflowView about={about} workflow={workflow} />
        </>
      )}
    </>
  )
}

function View({ view, about }: { readonly view: (typeof views)[number]; readonly about: Insight }) {
  switch (view) {
    case 'workflows':
      return <WorkflowTable about={about} />
    case 'queue':
      return <QueueTimes about={about} />
    case 'tests':
      return <FlakyTests slug={about.slug} />
    case 'caches':
      return <CacheUse about={about} />
    default:
      return assertNever(view)
  }
}

/** Now over before, as a person says it; -1 where before was nothing. */
const trendText = (trend: number): string => {
  if (trend < 0) return 'nothing before'
  const change = Math.round((trend - 1) * 100)
  return change === 0 ? 'as before' : `${change > 0 ? '+' : '−'}${Math.abs(change)} %`
}

function Summary({ about }: { readonly about: Insight }) {
  const summary = useQuery(summaryQuery(about))
  return (
    <QueryView query={summary}>
      {({ project_data: { metrics, trends } }) => (
        <dl className="figures" aria-label={`The last ${windowNames[about.window]}, all branches`}>
          <Figure name="Success" value={percentText(metrics.success_rate)} trend={trends.success_rate} />
          <Figure name="Runs" value={String(metrics.total_runs)} trend={trends.total_runs} />
          <Figure name="Runs a day" value={metrics.throughput.toFixed(1)} trend={trends.throughput} />
          <Figure
            name="Time spent"
            value={lengthOf(metrics.total_duration_secs * 1000)}
            trend={trends.total_duration_secs}
          />
        </dl>
      )}
    </QueryView>
  )
}

type Trends = ProjectSummary['project_data']['trends']

function Figure({ name, value, trend }: { name: string; value: string; trend: Trends[keyof Trends] }) {
  return (
    <div className="figure panel">
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong> <span className="soft small">{trendText(trend)}</span>
      </dd>
    </div>
  )
}
