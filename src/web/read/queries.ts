import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Output } from '#contract/endpoint.ts'
import { type ArtifactEntry, listArtifacts } from '#contract/rh/artifacts.ts'
import { getFailures } from '#contract/rh/failures.ts'
import { getJobPage, getWaitingJobs } from '#contract/rh/job.ts'
import { searchLogs } from '#contract/rh/log.ts'
import { listOrganizations } from '#contract/rh/organizations.ts'
import { findPipelines, pipelineLooks } from '#contract/rh/pipelines.ts'
import { listProjects } from '#contract/rh/projects.ts'
import { getSession } from '#contract/rh/session.ts'
import { getJob } from '#contract/v2/job.ts'
import { getPipelineByNumber, getPipelineConfig, listPipelineWorkflows } from '#contract/v2/pipeline.ts'
import { getProject } from '#contract/v2/project.ts'
import { listCollaborations } from '#contract/v2/user.ts'
import { getWorkflow, listWorkflowJobs } from '#contract/v2/workflow.ts'
import { callRh, callV2 } from '#web/api/calls.ts'
import { type PipelineFilter, type Slug, slugText } from '#web/address.ts'

// A page that is told to look again needs no clock; this one is for when nobody could tell it.
const nowAndThen = 15_000

const pageQuery = (token: string) => (token === '' ? {} : { 'page-token': token })

/** Who is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => callRh(getSession, {}, { signal }),
  staleTime: 5 * 60_000,
})

/** The projects that the caller may see, page after page. */
export const projectsQuery = infiniteQueryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal, pageParam }) => callRh(listProjects, { query: pageQuery(pageParam) }, { signal }),
  initialPageParam: '',
  getNextPageParam: (page) => page.next_page_token ?? undefined,
  refetchInterval: nowAndThen,
})

/** The organizations that the caller may work on. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: ({ signal }) => callV2(listCollaborations, {}, { signal }),
})

/** The organizations of the reader, and what they are in each. */
export const rolesQuery = queryOptions({
  queryKey: ['organizations', 'roles'],
  queryFn: ({ signal }) => callRh(listOrganizations, { query: {} }, { signal }),
  staleTime: 60_000,
})

/** One project. */
export const projectQuery = (slug: Slug) =>
  queryOptions({
    queryKey: ['project', slugText(slug)],
    queryFn: ({ signal }) => callV2(getProject, { params: { ...slug } }, { signal }),
  })

/** A page of the pipelines that a list shows, newest first. */
export const foundQuery = ({ project, branch, look, mine, page }: PipelineFilter) =>
  queryOptions({
    queryKey: ['found', { project, branch, look, mine, page }],
    queryFn: ({ signal }) =>
      callRh(
        findPipelines,
        {
          query: {
            ...pageQuery(page ?? ''),
            ...(project !== undefined && { project }),
            ...(branch !== undefined && { branch }),
            ...(isLook(look) && { look }),
            ...(mine === true && { mine: true }),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: nowAndThen,
  })

const isLook = (word: string | undefined): word is (typeof pipelineLooks)[number] =>
  pipelineLooks.some((look) => look === word)

/** One pipeline, by its number. */
export const pipelineQuery = (slug: Slug, number: string) =>
  queryOptions({
    queryKey: ['pipeline', slugText(slug), number],
    queryFn: ({ signal }) =>
      callV2(getPipelineByNumber, { params: { ...slug, pipeline_number: Number(number) } }, { signal }),
    refetchInterval: nowAndThen,
  })

/** The configuration of a pipeline: written once, never changed. */
export const configQuery = (pipeline: string) =>
  queryOptions({
    queryKey: ['config', pipeline],
    queryFn: ({ signal }) => callV2(getPipelineConfig, { params: { pipeline_id: pipeline } }, { signal }),
  })

/** The workflows of a pipeline. */
export const workflowsQuery = (pipeline: string) =>
  queryOptions({
    queryKey: ['workflows', pipeline],
    queryFn: ({ signal }) =>
      callV2(listPipelineWorkflows, { params: { pipeline_id: pipeline }, query: {} }, { signal }),
  })

/** One workflow. */
export const workflowQuery = (id: string) =>
  queryOptions({
    queryKey: ['workflow', id],
    queryFn: ({ signal }) => callV2(getWorkflow, { params: { id } }, { signal }),
    refetchInterval: nowAndThen,
    refetchIntervalInBackground: true,
  })

/** The jobs of a workflow. */
export const jobsQuery = (workflow: string) =>
  queryOptions({
    queryKey: ['jobs', workflow],
    queryFn: ({ signal }) => callV2(listWorkflowJobs, { params: { id: workflow }, query: {} }, { signal }),
    refetchInterval: nowAndThen,
  })

/** What the jobs of a workflow wait for. */
export const waitingQuery = (workflow: string) =>
  queryOptions({
    queryKey: ['waiting', workflow],
    queryFn: ({ signal }) => callRh(getWaitingJobs, { params: { id: workflow } }, { signal }),
    refetchInterval: nowAndThen,
  })

/** Why the jobs of a workflow failed. */
export const failuresQuery = (workflow: string) =>
  queryOptions({
    queryKey: ['failures', workflow],
    queryFn: ({ signal }) => callRh(getFailures, { params: { id: workflow } }, { signal }),
  })

/** A job with the steps of one of its nodes. */
export const jobQuery = (id: string, node = 0) =>
  queryOptions({
    queryKey: ['job', id, node],
    queryFn: ({ signal }) => callRh(getJobPage, { params: { id }, query: node === 0 ? {} : { node } }, { signal }),
    refetchInterval: nowAndThen,
    refetchIntervalInBackground: true,
  })

/** The pages of a list that are read at once: more files than this nobody looks through. */
const mostPages = 20

/** The files that a job kept. */
export const artifactsQuery = (id: string) =>
  queryOptions({
    queryKey: ['artifacts', id],
    queryFn: async ({ signal }) => {
      const items: ArtifactEntry[] = []
      let next: string | null = ''
      for (let page = 0; page < mostPages && next !== null; page++) {
        const answer: Output<typeof listArtifacts> = await callRh(
          listArtifacts,
          { params: { id }, query: pageQuery(next) },
          { signal },
        )
        items.push(...answer.items)
        next = answer.next_page_token
      }
      return { items, next_page_token: next }
    },
  })

/** The lines of the logs of a job that hold a text. */
export const searchQuery = (id: string, node: number, text: string, step: number | undefined) =>
  infiniteQueryOptions({
    queryKey: ['search', id, node, text, step],
    queryFn: ({ signal, pageParam }) =>
      callRh(
        searchLogs,
        { params: { id }, query: { text, node, ...(step !== undefined && { step }), ...pageQuery(pageParam) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_page_token ?? undefined,
  })

/** A job by its number, which is also the number of a build. */
export const buildQuery = (slug: Slug, number: string) =>
  queryOptions({
    queryKey: ['build', slugText(slug), number],
    queryFn: ({ signal }) => callV2(getJob, { params: { ...slug, job_number: Number(number) } }, { signal }),
  })
