import { type Static, Type } from 'typebox'
import { Nullable, Uuid } from '#contract/endpoint.ts'

const Count = Type.Integer()
const Ratio = Type.Number()

/** Metrics of one thing, and how they compare with the window before. */
const compared = {
  metrics: Type.Object({
    total_credits_used: Count,
    total_duration_secs: Count,
    total_runs: Count,
    success_rate: Ratio,
  }),
  trends: Type.Object({
    total_credits_used: Ratio,
    total_duration_secs: Ratio,
    total_runs: Ratio,
    success_rate: Ratio,
  }),
}

const workflow = {
  workflow_name: Type.String(),
  metrics: Type.Object({
    total_credits_used: Count,
    p95_duration_secs: Nullable(Ratio),
    total_runs: Count,
    success_rate: Ratio,
  }),
  trends: Type.Object({ total_credits_used: Ratio, p95_duration_secs: Ratio, total_runs: Ratio, success_rate: Ratio }),
}

const Whole = Type.Object({
  metrics: Type.Object({ ...compared.metrics.properties, throughput: Ratio }),
  trends: Type.Object({ ...compared.trends.properties, throughput: Ratio }),
})

/** A project at a glance: whole, by workflow, and by workflow and branch. */
export const ProjectSummary = Type.Object({
  org_id: Uuid,
  project_id: Uuid,
  project_data: Whole,
  project_workflow_data: Type.Array(Type.Object(workflow)),
  project_workflow_branch_data: Type.Array(Type.Object({ ...workflow, branch: Type.String() })),
  all_branches: Type.Array(Type.String()),
  all_workflows: Type.Array(Type.String()),
})
export type ProjectSummary = Static<typeof ProjectSummary>

/** An organization at a glance: whole, and by project. */
export const OrgSummary = Type.Object({
  org_data: Whole,
  org_project_data: Type.Array(Type.Object({ project_name: Type.String(), ...compared })),
  all_projects: Type.Array(Type.String()),
})
export type OrgSummary = Static<typeof OrgSummary>

/** The branches on which a project, or one workflow of it, has run. */
export const Branches = Type.Object({ org_id: Uuid, project_id: Uuid, branches: Type.Array(Type.String()) })
export type Branches = Static<typeof Branches>
