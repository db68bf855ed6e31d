import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { jobPage, type Slug } from '#web/address.ts'
import { QueryView } from '#web/parts/query-view.tsx'
import { buildQuery, jobsQuery, workflowQuery } from '#web/read/queries.ts'
import { useTitle } from '#web/read/use-title.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { useSlug } from './use-slug.ts'

/** The address of a build of generation 1.1: leads to the page of the job that it is. */
export function BuildPage() {
  const { number = '' } = useParams()
  const slug = useSlug()
  return /^[1-9]\d*$/.test(number) ? <Build slug={slug} number={number} /> : <NotFoundPage />
}

function Build({ slug, number }: { readonly slug: Slug; readonly number: string }) {
  useTitle(`Build ${number}`)
  const build = useQuery(buildQuery(slug, number))
  return (
    <QueryView query={build}>
      {({ latest_workflow: { id } }) => <Job slug={slug} number={Number(number)} workflow={id} />}
    </QueryView>
  )
}

/** Job details do not tell the id of the job: the list of its workflow does. */
function Job({ slug, number, workflow }: { readonly slug: Slug; readonly number: number; readonly workflow: string }) {
  const owner = useQuery(workflowQuery(workflow))
  const jobs = useQuery(jobsQuery(workflow))
  return (
    <QueryView query={owner}>
      {({ pipeline_number: pipeline }) => (
        <QueryView query={jobs}>
          {({ items }) => {
            const job = items.find((one) => one.job_number === number)
            return job ? <Navigate replace to={jobPage(slug, pipeline, workflow, job.id)} /> : <NotFoundPage />
          }}
        </QueryView>
      )}
    </QueryView>
  )
}
