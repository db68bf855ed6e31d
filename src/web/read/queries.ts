import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getJobPage } from '#contract/rh/job.ts'
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

/** A job with its steps. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['job', id],
    queryFn: ({ signal }) => callRh(getJobPage, { params: { id }, query: {} }, { signal }),
    refetchInterval: nowAndThen,
    refetchIntervalInBackground: true,
  })

/** A job by its number, which is also the number of a build. */
export const buildQuery = (slug: Slug, number: string) =>
  queryOptions({
    queryKey: ['build', slugText(slug), number],
    queryFn: ({ signal }) => callV2(getJob, { params: { ...slug, job_number: Number(number) } }, { signal }),
  })
