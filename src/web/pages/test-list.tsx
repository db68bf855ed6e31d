import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import type { JobTest } from '#contract/v2/job.ts'
import { QueryView } from '#web/parts/query-view.tsx'
import { StatusShape } from '#web/parts/status.tsx'
import { testsQuery } from '#web/read/queries.ts'
import type { StatusWord } from '#web/status-look.ts'
import { lengthOf } from '#web/times.ts'

const looks: Readonly<Record<JobTest['result'], { readonly status: StatusWord; readonly label: string }>> = {
  success: { status: 'success', label: 'passed' },
  failure: { status: 'failed', label: 'failed' },
  error: { status: 'error', label: 'broke' },
  skipped: { status: 'skipped', label: 'skipped' },
}

/** The tests of a job: those that failed with what they said, then all of them, page by page. */
export function TestList({ job }: { readonly job: string }) {
  const [search] = useSearchParams()
  const page = search.get('page') ?? ''
  const tests = useQuery(testsQuery(job, page))
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
            <p className="empty">This job stored no test results</p>
          ) : (
            <p>{failed === 0 ? `All ${total} tests passed or were skipped.` : `${failed} of ${total} tests failed.`}</p>
          )}
          {failures.length > 0 && (
            <ul className="plain" aria-label="Failed tests">
              {failures.map((test, at) => (
                <FailedTest key={at} test={test} />
              ))}
            </ul>
          )}
          {items.length > 0 && (
            <div className="table-scroll panel tests" tabIndex={0} role="region" aria-label="All tests">
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">Test</th>
                    <th scope="col">Where</th>
                    <th scope="col">Took</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((test, at) => (
                    <tr key={at}>
                      <td>
                        <Result test={test} /> {test.name}
                      </td>
                      <td className="soft">{test.classname === '' ? test.file : test.classname}</td>
                      <td>{lengthOf(test.run_time * 1000)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
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

function Result({ test }: { readonly test: JobTest }) {
  const { status, label } = looks[test.result]
  return (
    <>
      <StatusShape status={status} />
      <span className="unseen">{label}: </span>
    </>
  )
}

function FailedTest({ test }: { readonly test: JobTest }) {
  return (
    <li className="failure panel">
      <h3>
        <Result test={test} />
        {test.name}
      </h3>
      <p className="facts">
        <span>{test.classname}</span>
        <code>{test.file}</code>
        <span>{lengthOf(test.run_time * 1000)}</span>
      </p>
      {test.message !== '' && (
        <pre className="excerpt" tabIndex={0} aria-label={`What ${test.name} said`}>
          {test.message}
        </pre>
      )}
    </li>
  )
}
