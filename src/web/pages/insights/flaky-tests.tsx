import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { pipelinePage, type Slug } from '#web/address.ts'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { When } from '#web/parts/when.tsx'
import { flakyQuery } from '#web/read/insight-queries.ts'

/** The tests of a project that cannot be relied on. */
export function FlakyTests({ slug }: { readonly slug: Slug }) {
  const flaky = useQuery(flakyQuery(slug))
  return (
    <>
      <h2>Flaky tests</h2>
      <p className="soft">They passed and failed on one commit.</p>
      <QueryView query={flaky}>
        {({ flaky_tests }) => (
          <DataTable
            caption="Flaky tests"
            empty="No flaky test was seen."
            rows={flaky_tests}
            keyOf={({ job_name, classname, test_name, file }) => [job_name, classname, test_name, file].join('\n')}
            columns={[
              { name: 'Test', cell: ({ test_name }) => test_name },
              { name: 'Job', cell: ({ job_name }) => job_name },
              { name: 'Workflow', cell: ({ workflow_name }) => workflow_name },
              { name: 'Times', number: true, cell: ({ times_flaked }) => times_flaked },
              {
                name: 'Last in',
                cell: ({ pipeline_number, workflow_created_at }) => (
                  <>
                    <Link to={pipelinePage(slug, pipeline_number)}>#{pipeline_number}</Link>{' '}
                    <When at={workflow_created_at} />
                  </>
                ),
              },
            ]}
          />
        )}
      </QueryView>
    </>
  )
}
