import * as contract from '#contract/v2/insights.ts'
import { hourMs, windowBetween } from '#core/insights/window.ts'
import type { App } from '#server/app/app.ts'
import { orgSummary } from '#server/app/insights/org-summary.ts'
import { paged } from '#server/app/insights/paged.ts'
import { jobRuns, workflowRuns } from '#server/app/insights/run-list.ts'
import { branchesOf } from '#server/app/insights/workflow-metrics.ts'
import type { PageOf } from '#server/app/lists.ts'
import { organizationFor } from '#server/app/organizations.ts'
import { projectFor } from '#server/app/permissions.ts'
import type { Serving } from '#server/api/serve.ts'
import {
  flakyView,
  jobInsightView,
  jobRunView,
  runView,
  seriesView,
  testMetricsView,
  workflowInsightView,
} from './insight-views.ts'
import { orgSummaryView, projectSummaryView, workflowSummaryView } from './summary-views.ts'

const pageView = <T, V>({ items, next }: PageOf<T>, view: (item: T) => V) => ({
  items: items.map(view),
  next_page_token: next,
})

/** Insights of generation 2. */
export function serveInsights({ serve }: Serving, app: App): void {
  const { world, insights } = app
  const now = () => Date.parse(world.now())

  serve(contract.getProjectSummary, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', params)
    const { 'reporting-window': window, branches, 'workflow-names': names } = query
    return projectSummaryView(project, await insights.ask('projectSummary', project.id, window, branches, names))
  })

  serve(contract.listJobSeries, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', params)
    const { 'page-token': token, ...asked } = query
    const list = `series:${project.id}:${params.workflow_name}`
    const page = await paged(app, list, token, asked, (meant, after) => {
      const granularity = meant['timeseries-granularity'] ?? meant.granularity ?? 'daily'
      const usual = granularity === 'hourly' ? 48 * hourMs : undefined
      const window = windowBetween(meant['start-date'], meant['end-date'], now(), usual)
      const branches = branchesOf(project, meant)
      return insights.ask('jobSeries', project.id, params.workflow_name, branches, window, granularity, after)
    })
    return pageView(page, seriesView)
  })

  serve(contract.getOrgSummary, async ({ caller, params, query }) => {
    const organization = await organizationFor(world, caller, 'viewer', { slug: `${params.provider}/${params.org}` })
    return orgSummaryView(await orgSummary(app, organization, query['reporting-window'], query['project-names']))
  })

  serve(contract.listInsightBranches, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', params)
    const name = query['workflow-name']
    const branches = [...(await insights.ask('allBranches', project.id, name))]
    return { org_id: project.organization_id, project_id: project.id, branches }
  })

  serve(contract.listFlakyTests, async ({ caller, params }) => {
    const project = await projectFor(world, caller, 'read', params)
    const tests = (await insights.ask('flakyTestsOf', project.id)).map(flakyView)
    return {
      'flaky-tests': tests,
      flaky_tests: tests,
      'total-flaky-tests': tests.length,
      total_flaky_tests: tests.length,
    }
  })

  serve(contract.listWorkflowInsights, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', params)
    const { 'page-token': token, ...asked } = query
    const page = await paged(app, `insights:${project.id}`, token, asked, (meant, after) =>
      insights.ask('workflowMetrics', project.id, branchesOf(project, meant), meant['reporting-window'], after),
    )
    return pageView(page, workflowInsightView)
  })

  serve(contract.listWorkflowRuns, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', params)
    const { 'page-token': token, ...asked } = query
    const list = `runs:${project.id}:${params.workflow_name}`
    const page = await paged(app, list, token, asked, (meant, after) => {
      const window = windowBetween(meant['start-date'], meant['end-date'], now())
      return workflowRuns(app, project, params.workflow_name, branchesOf(project, meant), window, after)
    })
    return pageView(page, runView)
  })

  serve(contract.listJobInsights, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', params)
    const { 'page-token': token, ...asked } = query
    const name = params.workflow_name
    const page = await paged(app, `insights:${project.id}:${name}`, token, asked, (meant, after) =>
      insights.ask('jobMetrics', project.id, name, branchesOf(project, meant), meant['reporting-window'], after),
    )
    return pageView(page, jobInsightView)
  })

  serve(contract.listJobRuns, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', params)
    const { 'page-token': token, ...asked } = query
    const of = { workflow: params.workflow_name, job: params.job_name }
    const list = `runs:${project.id}:${JSON.stringify(of)}`
    const page = await paged(app, list, token, asked, (meant, after) => {
      const window = windowBetween(meant['start-date'], meant['end-date'], now())
      return jobRuns(app, project, of, branchesOf(project, meant), window, after)
    })
    return pageView(page, jobRunView)
  })

  serve(contract.getWorkflowSummary, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', params)
    const branches = branchesOf(project, query)
    const { compared, names } = await insights.ask(
      'workflowSummary',
      project.id,
      params.workflow_name,
      branches,
      query['reporting-window'],
    )
    return workflowSummaryView(compared, names)
  })

  serve(contract.getTestMetrics, async ({ caller, params, query }) => {
    const project = await projectFor(world, caller, 'read', params)
    const branches = branchesOf(project, query)
    return testMetricsView(await insights.ask('testMetrics', project.id, params.workflow_name, branches))
  })
}
