import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ProjectAccess } from '#contract/rh/project-page.ts'
import { quarantineTest } from '#contract/rh/quarantine.ts'
import type { FlakyTest } from '#contract/v2/test-insights.ts'
import { pipelinePage, projectSettingsPage, type Slug } from '#web/address.ts'
import { callRh } from '#web/api/calls.ts'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { QuickAction } from '#web/parts/quick-action.tsx'
import { When } from '#web/parts/when.tsx'
import { flakyQuery } from '#web/read/insight-queries.ts'
import { accessQuery, onlyMembers } from '#web/read/settings-queries.ts'

/** The tests of a project that cannot be relied on. */
export function FlakyTests({ slug }: { readonly slug: Slug }) {
  const flaky = useQuery(flakyQuery(slug))
  const access = useQuery(accessQuery(slug))
  return (
    <>
      <h2>Flaky tests</h2>
      <p className="soft">
        They passed and failed on one commit. What is put into{' '}
        <Link to={projectSettingsPage(slug, 'quarantine')}>quarantine</Link> stands in nobody&apos;s way until it is
        mended.
      </p>
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
              {
                name: 'Actions',
                unseen: true,
                cell: (test) => <Quarantine access={access.data} test={test} />,
              },
            ]}
          />
        )}
      </QueryView>
    </>
  )
}

function Quarantine({ access, test }: { readonly access: ProjectAccess | undefined; readonly test: FlakyTest }) {
  const { test_name: name, classname, file } = test
  if (!access) return null
  const body = {
    name,
    ...(classname !== '' && { classname }),
    ...(file !== '' && { file }),
    reason: `Flaky: ${test.times_flaked} times`,
  }
  return (
    <QuickAction
      name="Quarantine"
      what={name}
      act={() => callRh(quarantineTest, { params: { id: access.project_id }, body })}
      refused={access.may_configure ? undefined : onlyMembers}
    />
  )
}
