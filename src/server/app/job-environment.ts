import { variablePrefixes } from '#core/names.ts'
import type { JobBody } from '#core/plan.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { JobRow } from '#server/store/workflows.ts'
import { buildUrl, cloneUrl } from './addresses.ts'
import type { World } from './world.ts'

/** What a job is about: where its built-in variables come from. */
export interface JobSetting {
  readonly project: ProjectRow
  readonly pipeline: PipelineRow
  readonly job: JobRow
  readonly node: number
  readonly body: JobBody
  readonly actor: string | undefined
}

/** The variables every job has, each under both prefixes. Those that have no value here are left out. */
export function builtInVariables(
  world: World,
  { project, pipeline, job, node, body, actor }: JobSetting,
): Record<string, string> {
  const plain: Record<string, string | undefined> = {
    BRANCH: pipeline.branch ?? undefined,
    TAG: pipeline.tag ?? undefined,
    SHA1: pipeline.revision,
    BUILD_NUM: String(job.number),
    BUILD_URL: buildUrl(world, project, job.number ?? 0),
    JOB: job.name,
    NODE_INDEX: String(node),
    NODE_TOTAL: String(job.parallelism),
    ORGANIZATION_ID: project.organization_id,
    PIPELINE_ID: pipeline.id,
    PIPELINE_NUMBER: String(pipeline.number),
    PROJECT_ID: project.id,
    PROJECT_REPONAME: project.name,
    PROJECT_USERNAME: project.organization,
    REPOSITORY_URL: cloneUrl(world, project),
    USERNAME: actor,
    WORKFLOW_ID: job.workflow_id,
    WORKFLOW_JOB_ID: job.id,
    WORKFLOW_WORKSPACE_ID: job.workflow_id,
    WORKING_DIRECTORY: body.workingDirectory,
  }
  const variables: Record<string, string> = { CI: 'true', CIRCLECI: 'true' }
  for (const [name, value] of Object.entries(plain)) {
    if (value === undefined) continue
    for (const prefix of variablePrefixes) variables[prefix + name] = value
  }
  return variables
}
