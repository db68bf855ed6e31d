import { queryOptions } from '@tanstack/react-query'
import { getCacheUse, getCriticalPath, getWaiting } from '#contract/rh/insights.ts'
import {
  getProjectSummary,
  getTestMetrics,
  listFlakyTests,
  listInsightBranches,
  listJobInsights,
  listWorkflowInsights,
  listWorkflowRuns,
  type reportingWindows,
} from '#contract/v2/insights.ts'
import type { WorkflowRun } from '#contract/v2/metrics.ts'
import { type Slug, slugText } from '#web/address.ts'
import { callRh, callV2 } from '#web/api/calls.ts'
import { pageQuery } from './pages.ts'

/** What insights are about: a project, for how long, on which branch. */
export interface Insight {
  readonly slug: Slug
  readonly window: (typeof reportingWindows)[number]
  /** Nothing: all branches. */
  readonly branch: string | undefined
}

const branchOf = (branch: string | undefined) => (branch === undefined ? { 'all-branches': true } : { branch })
const keyOf = ({ slug, window, branch }: Insight) => [slugText(slug), window, branch ?? '']

/** A project compared with the window before. */
export const summaryQuery = ({ slug, window }: Insight) =>
  queryOptions({
    queryKey: ['summary', slugText(slug), window],
    queryFn: ({ signal }) =>
      callV2(getProjectSummary, { params: { ...slug }, query: { 'reporting-window': window } }, { signal }),
  })

/** The workflows of a project with their metrics. */
export const workflowInsightsQuery = (about: Insight) =>
  queryOptions({
    queryKey: ['workflow-insights', ...keyOf(about)],
    queryFn: ({ signal }) =>
      callV2(
        listWorkflowInsights,
        { params: { ...about.slug }, query: { 'reporting-window': about.window, ...branchOf(about.branch) } },
        { signal },
      ),
  })

/** The jobs of a workflow with their metrics. */
export const jobInsightsQuery = (about: Insight, workflow: string) =>
  queryOptions({
    queryKey: ['job-insights', ...keyOf(about), workflow],
    queryFn: ({ signal }) =>
      callV2(
        listJobInsights,
        {
          params: { ...about.slug, workflow_name: workflow },
          query: { 'reporting-window': about.window, ...branchOf(about.branch) },
        },
        { signal },
      ),
  })

/** More pages than this a chart does not read: it says from when on it shows runs. */
const mostPages = 10

/** The runs of a workflow since a time, newest first. */
export const runsQuery = (about: Insight, workflow: string, since: string) =>
  queryOptions({
    queryKey: ['runs', ...keyOf(about), workflow],
    queryFn: async ({ signal }) => {
      const runs: WorkflowRun[] = []
      let token: string | null = ''
      for (let page = 0; page < mostPages && token !== null; page++) {
        const query = { ...pageQuery(token), ...branchOf(about.branch), 'start-date': since }
        const answer: { items: WorkflowRun[]; next_page_token: string | null } = await callV2(
          listWorkflowRuns,
          { params: { ...about.slug, workflow_name: workflow }, query },
          { signal },
        )
        runs.push(...answer.items)
        token = answer.next_page_token
      }
      return { runs, whole: token === null }
    },
    staleTime: 60_000,
  })

/** The tests of the last runs of a workflow. */
export const testMetricsQuery = (about: Insight, workflow: string) =>
  queryOptions({
    queryKey: ['test-metrics', ...keyOf(about), workflow],
    queryFn: ({ signal }) =>
      callV2(
        getTestMetrics,
        { params: { ...about.slug, workflow_name: workflow }, query: branchOf(about.branch) },
        { signal },
      ),
  })

/** The tests that passed and failed on one commit. */
export const flakyQuery = (slug: Slug) =>
  queryOptions({
    queryKey: ['flaky', slugText(slug)],
    queryFn: ({ signal }) => callV2(listFlakyTests, { params: { ...slug } }, { signal }),
  })

/** The branches that have run. */
export const insightBranchesQuery = (slug: Slug) =>
  queryOptions({
    queryKey: ['insight-branches', slugText(slug)],
    queryFn: ({ signal }) => callV2(listInsightBranches, { params: { ...slug }, query: {} }, { signal }),
  })

/** How long the jobs of a project, by its id, waited for agents. */
export const waitingQuery = (project: string, window: Insight['window']) =>
  queryOptions({
    queryKey: ['insight-waiting', project, window],
    queryFn: ({ signal }) =>
      callRh(getWaiting, { params: { id: project }, query: { 'reporting-window': window } }, { signal }),
  })

/** How often the jobs of a project, by its id, found the caches they asked for. */
export const cacheUseQuery = (project: string, window: Insight['window']) =>
  queryOptions({
    queryKey: ['insight-caches', project, window],
    queryFn: ({ signal }) =>
      callRh(getCacheUse, { params: { id: project }, query: { 'reporting-window': window } }, { signal }),
  })

/** Which jobs decided how long a workflow took. */
export const criticalPathQuery = (workflow: string) =>
  queryOptions({
    queryKey: ['critical-path', workflow],
    queryFn: ({ signal }) => callRh(getCriticalPath, { params: { id: workflow } }, { signal }),
  })
