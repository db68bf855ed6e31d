import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import type { JobTest } from '#contract/v2/job.ts'
import type { Slug } from '#web/address.ts'
import { QueryView } from '#web/parts/query-view.tsx'
import { flakyQuery } from '#web/read/insight-queries.ts'
import { projectQuery } from '#web/read/queries.ts'
import { testKey, testsQuery } from '#web/read/test-queries.ts'
import { lengthOf } from '#web/times.ts'
import { FailedTest } from './failed-test.tsx'
import { FlakyMark } from './flaky-mark.tsx'
import { TestResult } from './test-result.tsx'

/** The tests of a job: those that failed with what they said, then all of them, page by page. */
export function TestList({ slug, job }: { readonly slug: Slug; readonly job: string }) {
  const [search] = useSearchParams()
  const page = search.get('page') ?? ''
  const tests = useQuery(testsQuery(job, page))
  const project = useQuery(projectQuery(slug)).data?.id
  const flaky = useFlaky(slug)
  return (
    <QueryView query={tests}>
      {({ total, failed, failures, problems, items, next_page_token: next }) => (
        <>
          {problems.map((problem, at) => (
            <p key={at} className="note">
              {problem}
            </p>
          ))}
          {total === 0 ? (
            <p className="empty">
              This job stored no test results. A step <code>store_test_results</code> in its configuration does.
            </p>
          ) : (
            <p>{failed === 0 ? `All ${total} tests passed or were skipped.` : `${failed} of ${total} tests failed.`}</p>
          )}
          {failures.length > 0 && (
            <ul className="plain" aria-label="Failed tests">
              {failures.map((test, at) => (
                <FailedTest
                  key={at}
                  slug={slug}
                  project={project}
                  job={job}
                  test={test}
                  flaky={flaky.has(testKey(test))}
                />
              ))}
            </ul>
          )}
          {items.length > 0 && <AllTests tests={items} flaky={flaky} />}
          {(next !== null || page !== '') && (
            <nav className="pager" aria-label="Pages of tests">
              {page !== '' && <Link to="?view=tests">First</Link>}
              {next !== null && <Link to={`?view=tests&page=${encodeURIComponent(next)}`}>Next</Link>}
            </nav>
          )}
        </>
      )}
    </QueryView>
  )
}

/** The tests of the project that passed and failed on one commit. */
function useFlaky(slug: Slug): ReadonlySet<string> {
  const { data } = useQuery({ ...flakyQuery(slug), staleTime: 60_000 })
  return new Set(data?.flaky_tests.map(({ test_name: name, classname, file }) => testKey({ name, classname, file })))
}

function AllTests({ tests, flaky }: { readonly tests: readonly JobTest[]; readonly flaky: ReadonlySet<string> }) {
  return (
    <div className="table-scroll panel tests" tabIndex={0} role="region" aria-label="All tests">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Test</th>
            <th scope="col">Where</th>
            <th scope="col" className="number">
              Took
            </th>
          </tr>
        </thead>
        <tbody>
          {tests.map((test, at) => (
            <tr key={at}>
              <td>
                <TestResult result={test.result} /> {test.name} {flaky.has(testKey(test)) && <FlakyMark />}
              </td>
              <td className="soft">{test.classname === '' ? test.file : test.classname}</td>
              <td className="number">{lengthOf(test.run_time * 1000)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
