import { variablePrefixes } from '#core/names.ts'
import type { JobBody } from '#core/plan.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'
import type { ProjectRow } from '#server/store/projects.ts'
import type { JobRow } from '#server/store/workflows.ts'
import { buildUrl, cloneUrl, compareUrl, pullRequestOf } from './addresses.ts'
import { pullRequestsOf } from './pull-requests.ts'
import type { PipelineOptions } from './trigger.ts'
import type { World } from './world.ts'

/** What a job is about: where its built-in variables come from. */
export interface JobSetting {
  readonly project: ProjectRow
  readonly pipeline: PipelineRow
  readonly job: JobRow
  readonly node: number
  readonly body: JobBody
  readonly actor: string | undefined
  /** The workflow whose workspace it shares: the first of a chain of reruns. */
  readonly root: string
  /** The number of the build before it on the same branch. */
  readonly previous: number | undefined
}

/** The variables every job has, each under both prefixes. Those that have no value here are left out. */
export function builtInVariables(
  world: World,
  { project, pipeline, job, node, body, actor, root, previous }: JobSetting,
): Record<string, string> {
  const upstream = (JSON.parse(job.needs) as readonly { readonly job: string }[]).map((need) => need.job)
  const options = JSON.parse(pipeline.options) as PipelineOptions
  const named = pullRequestOf(world, project, pipeline.branch)
  const pulls = pullRequestsOf(world, project, pipeline).map(({ url }) => url)
  const [pull, all] = [pulls[0], pulls.length === 0 ? undefined : pulls.join(',')]
  const plain: Record<string, string | undefined> = {
    BRANCH: pipeline.branch ?? undefined,
    TAG: pipeline.tag ?? undefined,
    SHA1: pipeline.revision,
    BUILD_NUM: String(job.number),
    BUILD_URL: buildUrl(world, project, job.number ?? 0),
    COMPARE_URL: compareUrl(world, project, pipeline),
    JOB: job.name,
    STAGE: job.name,
    PREVIOUS_BUILD_NUM: previous === undefined ? undefined : String(previous),
    // Of forks alone, as are the two after it.
    PR_NUMBER: named?.number,
    PR_USERNAME: options.pull?.owner,
    PR_REPONAME: options.pull?.repository,
    PULL_REQUEST: pull,
    PULL_REQUESTS: all,
    NODE_INDEX: String(node),
    NODE_TOTAL: String(job.parallelism),
    ORGANIZATION_ID: project.organization_id,
    PIPELINE_ID: pipeline.id,
    PIPELINE_NUMBER: String(pipeline.number),
    PROJECT_ID: project.id,
    PROJECT_REPONAME: project.name,
    PROJECT_USERNAME: project.organization,
    REPOSITORY_URL: cloneUrl(world, project),
    // Not of the original, whose address everybody knows: where a job of a setup goes on.
    SERVER_URL: world.terms.baseUrl,
    USERNAME: actor,
    WORKFLOW_ID: job.workflow_id,
    WORKFLOW_JOB_ID: job.id,
    WORKFLOW_UPSTREAM_JOB_IDS: upstream.length === 0 ? undefined : upstream.join(','),
    WORKFLOW_WORKSPACE_ID: root,
    WORKING_DIRECTORY: body.workingDirectory,
  }
  const variables: Record<string, string> = {
    CI: 'true',
    CIRCLECI: 'true',
    ...(pull !== undefined && all !== undefined && { CI_PULL_REQUEST: pull, CI_PULL_REQUESTS: all }),
  }
  for (const [name, value] of Object.entries(plain)) {
    if (value === undefined) continue
    for (const prefix of variablePrefixes) variables[prefix + name] = value
  }
  return variables
}
