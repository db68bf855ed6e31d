import { Type } from 'typebox'
import { endpoint, OneOf, Page, Time } from '#contract/endpoint.ts'
import { JobInsight, JobRun, JobSeriesItem, WorkflowInsight, WorkflowRun, WorkflowSummary } from './metrics.ts'
import { OrgParams, paging, projectParams, ProjectParams } from './path.ts'
import { Branches, OrgSummary, ProjectSummary } from './summary.ts'
import { FlakyTests, TestMetrics } from './test-insights.ts'

/** How far back insights look; the last 90 days unless said. */
export const reportingWindows = [
  'last-7-days',
  'last-90-days',
  'last-24-hours',
  'last-30-days',
  'last-60-days',
] as const

const Text = Type.Optional(Type.String())
const Repeated = Type.Optional(Type.Array(Type.String()))
const Granularity = Type.Optional(OneOf('daily', 'hourly'))
const window = { 'reporting-window': Type.Optional(OneOf(...reportingWindows)) }
const branch = { branch: Text, 'all-branches': Type.Optional(Type.Boolean()) }
const between = { 'start-date': Type.Optional(Time), 'end-date': Type.Optional(Time) }

const WorkflowParams = projectParams({ workflow_name: Type.String({ minLength: 1 }) })

export const getProjectSummary = endpoint({
  method: 'GET',
  path: '/insights/pages/:provider/:org/:repo/summary',
  summary: 'Compare a project, its workflows and their branches with the window before',
  access: 'user-or-public',
  params: ProjectParams,
  query: Type.Object({ ...window, branches: Repeated, 'workflow-names': Repeated }),
  response: ProjectSummary,
})

export const listJobSeries = endpoint({
  method: 'GET',
  path: '/insights/time-series/:provider/:org/:repo/workflows/:workflow_name/jobs',
  summary: 'Follow the jobs of a workflow through days or hours',
  access: 'user-or-public',
  params: WorkflowParams,
  query: Type.Object({
    ...paging,
    ...between,
    branch: Text,
    'timeseries-granularity': Granularity,
    /** What newer clients call it. */
    granularity: Granularity,
  }),
  response: Page(JobSeriesItem),
})

export const getOrgSummary = endpoint({
  method: 'GET',
  path: '/insights/:provider/:org/summary',
  summary: 'Compare an organization and its projects with the window before',
  access: 'user',
  params: OrgParams,
  query: Type.Object({ ...window, 'project-names': Repeated }),
  response: OrgSummary,
})

export const listInsightBranches = endpoint({
  method: 'GET',
  path: '/insights/:provider/:org/:repo/branches',
  summary: 'List the branches on which a project or a workflow has run',
  access: 'user-or-public',
  params: ProjectParams,
  query: Type.Object({ 'workflow-name': Text }),
  response: Branches,
})

export const listFlakyTests = endpoint({
  method: 'GET',
  path: '/insights/:provider/:org/:repo/flaky-tests',
  summary: 'List the tests of a project that passed and failed on one commit',
  access: 'user-or-public',
  params: ProjectParams,
  response: FlakyTests,
})

export const listWorkflowInsights = endpoint({
  method: 'GET',
  path: '/insights/:provider/:org/:repo/workflows',
  summary: 'List the workflows of a project with their metrics',
  access: 'user-or-public',
  params: ProjectParams,
  query: Type.Object({ ...paging, ...branch, ...window }),
  response: Page(WorkflowInsight),
})

export const listWorkflowRuns = endpoint({
  method: 'GET',
  path: '/insights/:provider/:org/:repo/workflows/:workflow_name',
  summary: 'List the recent runs of a workflow',
  access: 'user-or-public',
  params: WorkflowParams,
  query: Type.Object({ ...paging, ...branch, ...between }),
  response: Page(WorkflowRun),
})

export const listJobInsights = endpoint({
  method: 'GET',
  path: '/insights/:provider/:org/:repo/workflows/:workflow_name/jobs',
  summary: 'List the jobs of a workflow with their metrics',
  access: 'user-or-public',
  params: WorkflowParams,
  query: Type.Object({ ...paging, ...branch, ...window }),
  response: Page(JobInsight),
})

export const listJobRuns = endpoint({
  method: 'GET',
  path: '/insights/:provider/:org/:repo/workflows/:workflow_name/jobs/:job_name',
  summary: 'List the recent runs of a job of a workflow',
  access: 'user-or-public',
  params: projectParams({ workflow_name: Type.String({ minLength: 1 }), job_name: Type.String({ minLength: 1 }) }),
  query: Type.Object({ ...paging, ...branch, ...between }),
  response: Page(JobRun),
})

export const getWorkflowSummary = endpoint({
  method: 'GET',
  path: '/insights/:provider/:org/:repo/workflows/:workflow_name/summary',
  summary: 'Compare a workflow with the window before',
  access: 'user-or-public',
  params: WorkflowParams,
  query: Type.Object({ ...branch, ...window, branches: Repeated }),
  response: WorkflowSummary,
})

export const getTestMetrics = endpoint({
  method: 'GET',
  path: '/insights/:provider/:org/:repo/workflows/:workflow_name/test-metrics',
  summary: 'Read the metrics of the tests of a workflow',
  access: 'user-or-public',
  params: WorkflowParams,
  query: Type.Object(branch),
  response: TestMetrics,
})
