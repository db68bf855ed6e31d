import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { reportingWindows } from '#contract/v2/insights.ts'
import type { ProjectSummary } from '#contract/v2/summary.ts'
import { insightsPage } from '#web/address.ts'
import { useSlug } from '#web/pages/use-slug.ts'
import { Crumbs } from '#web/parts/crumbs.tsx'
import { ProjectHead } from '#web/parts/project-head.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { type Insight, summaryQuery } from '#web/read/insight-queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { lengthOf } from '#web/times.ts'
import { FlakyTests } from './flaky-tests.tsx'
import { InsightFilters } from './insight-filters.tsx'
import { QueueTimes } from './queue-times.tsx'
import { percentText, windowNames } from './spans.ts'
import { WorkflowTable } from './workflow-table.tsx'
import { WorkflowView } from './workflow-view.tsx'

/** How a project does: what ran, how often it succeeded, how long it took, and which tests are in the way. */
export function InsightsPage() {
  const slug = useSlug()
  const [search] = useSearchParams()
  useTitle(`Insights · ${slug.org}/${slug.repo}`)
  const window = reportingWindows.find((one) => one === search.get('window')) ?? 'last-30-days'
  const about: Insight = { slug, window, branch: search.get('branch') ?? undefined }
  const workflow = search.get('workflow')
  return (
    <>
      <Crumbs trail={[{ name: 'Dashboard', to: '/' }]} />
      <ProjectHead slug={slug} />
      <InsightFilters about={about} workflow={workflow} />
      {workflow === null ? (
        <>
          <Summary about={about} />
          <WorkflowTable about={about} />
          <QueueTimes about={about} />
          <FlakyTests slug={slug} />
        </>
      ) : (
        <>
          <p>
            <Link to={insightsPage(slug)}>All workflows</Link>
          </p>
          <h2>{workflow}</h2>
          <WorkflowView about={about} workflow={workflow} />
        </>
      )}
    </>
  )
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
