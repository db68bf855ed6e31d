import type { WorkflowSummary } from '#contract/v2/metrics.ts'
import type { OrgSummary as OrgView, ProjectSummary as ProjectView } from '#contract/v2/summary.ts'
import type { OrgSummary } from '#server/app/insights/org-summary.ts'
import type { Compared, ComparedSums } from '#server/app/insights/compare.ts'
import type { ProjectSummary } from '#server/app/insights/summaries.ts'
import type { ProjectRow } from '#server/app/find.ts'
import { time, workflowMetricsView } from './insight-views.ts'

const comparedView = ({ metrics, trends }: ComparedSums) => ({
  metrics: {
    total_credits_used: metrics.credits,
    total_duration_secs: metrics.totalSeconds,
    total_runs: metrics.total,
    success_rate: metrics.successRate,
  },
  trends: {
    total_credits_used: trends.credits,
    total_duration_secs: trends.seconds,
    total_runs: trends.runs,
    success_rate: trends.successRate,
  },
})

function wholeView(compared: ComparedSums) {
  const { metrics, trends } = comparedView(compared)
  return {
    metrics: { ...metrics, throughput: compared.metrics.throughput },
    trends: { ...trends, throughput: compared.trends.throughput },
  }
}

const workflowView = ({ name, compared: { metrics, trends } }: ProjectSummary['workflows'][number]) => ({
  workflow_name: name,
  metrics: {
    total_credits_used: metrics.credits,
    p95_duration_secs: metrics.durations.p95,
    total_runs: metrics.total,
    success_rate: metrics.successRate,
  },
  trends: {
    total_credits_used: trends.credits,
    p95_duration_secs: trends.p95,
    total_runs: trends.runs,
    success_rate: trends.successRate,
  },
})

export const projectSummaryView = (project: ProjectRow, summary: ProjectSummary): ProjectView => ({
  org_id: project.organization_id,
  project_id: project.id,
  project_data: wholeView(summary.whole),
  project_workflow_data: summary.workflows.map(workflowView),
  project_workflow_branch_data: summary.branches.map((one) => ({ ...workflowView(one), branch: one.branch })),
  all_branches: [...summary.allBranches],
  all_workflows: [...summary.allWorkflows],
})

export const orgSummaryView = ({ whole, projects, allProjects }: OrgSummary): OrgView => ({
  org_data: wholeView(whole),
  org_project_data: projects.map(({ name, compared }) => ({ project_name: name, ...comparedView(compared) })),
  all_projects: [...allProjects],
})

export function workflowSummaryView({ metrics, trends }: Compared, names: readonly string[]): WorkflowSummary {
  const { window } = metrics
  return {
    metrics: {
      ...workflowMetricsView(metrics),
      window_start: window ? time(window.start) : null,
      window_end: window ? time(window.end) : null,
    },
    trends: {
      total_runs: trends.runs,
      failed_runs: trends.failed,
      success_rate: trends.successRate,
      p95_duration_secs: trends.p95,
      median_duration_secs: trends.median,
      total_credits_used: trends.credits,
      mttr: trends.mttr,
      throughput: trends.throughput,
    },
    workflow_names: [...names],
  }
}
