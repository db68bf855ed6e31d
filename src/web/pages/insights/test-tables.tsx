import { useQuery } from '@tanstack/react-query'
import type { TestMetric } from '#contract/v2/test-insights.ts'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { type Insight, testMetricsQuery } from '#web/read/insight-queries.ts'
import { lengthOf } from '#web/times.ts'

/** The tests of a workflow that fail most, and that take longest. */
export function TestTables({ about, workflow }: { readonly about: Insight; readonly workflow: string }) {
  const metrics = useQuery(testMetricsQuery(about, workflow))
  return (
    <>
      <h3>Tests of the last runs</h3>
      <QueryView query={metrics}>
        {({ most_failed_tests, slowest_tests, average_test_count }) => (
          <>
            <p className="soft">On average {average_test_count} tests in a run.</p>
            <TestTable caption="Tests that fail most" empty="No test failed." tests={most_failed_tests} />
            <TestTable caption="Slowest tests" empty="No test was told." tests={slowest_tests} />
          </>
        )}
      </QueryView>
    </>
  )
}

interface Props {
  readonly caption: string
  readonly empty: string
  readonly tests: readonly TestMetric[]
}

function TestTable({ caption, empty, tests }: Props) {
  return (
    <DataTable
      seenCaption
      caption={caption}
      empty={empty}
      rows={tests}
      keyOf={({ job_name, classname, test_name, file }) => [job_name, classname, test_name, file].join('\n')}
      columns={[
        {
          name: 'Test',
          cell: ({ test_name, flaky }) => (
            <>
              {test_name} {flaky && <span className="count bad">flaky</span>}
            </>
          ),
        },
        { name: 'Job', cell: ({ job_name }) => job_name },
        { name: 'Runs', number: true, cell: ({ total_runs }) => total_runs },
        { name: 'Failed', number: true, cell: ({ failed_runs }) => failed_runs },
        { name: '95 % within', number: true, cell: ({ p95_duration }) => lengthOf(p95_duration * 1000) },
      ]}
    />
  )
}
