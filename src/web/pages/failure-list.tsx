import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Failure } from '#contract/rh/failures.ts'
import { jobPage, type Slug } from '#web/address.ts'
import { LogText } from '#web/log/log-text.tsx'
import { permalink } from '#web/log/permalink.ts'
import { StatusShape } from '#web/parts/status.tsx'
import { failuresQuery } from '#web/read/queries.ts'

interface Props {
  readonly slug: Slug
  readonly number: number
  readonly workflow: string
}

/** What failed, in a sentence for each job, with the end of what it printed and the way to the line. */
export function FailureList({ slug, number, workflow }: Props) {
  const { data } = useQuery(failuresQuery(workflow))
  if (!data || data.items.length === 0) return null
  return (
    <section aria-label="What failed">
      {data.items.map((failure) => (
        <article key={failure.job_id} className="failure panel">
          <h2>
            <StatusShape status={failure.status} />
            {failure.name}
          </h2>
          <p>{failure.message}</p>
          <FailureEnd to={jobPage(slug, number, workflow, failure.job_id)} failure={failure} />
        </article>
      ))}
    </section>
  )
}

function FailureEnd({ to, failure }: { readonly to: string; readonly failure: Failure }) {
  const { step, failed_tests: tests } = failure
  const node = step !== null && step.node > 0 ? `?node=${step.node}` : ''
  const first = step?.first_line ?? undefined
  const last = first === undefined ? undefined : Math.max(1, first + (step?.lines.length ?? 0) - 1)
  return (
    <>
      {tests.length > 0 && (
        <ul className="failed-tests">
          {tests.map((test, at) => (
            <li key={at}>
              <span className="soft">{test.classname} </span>
              {test.name}
            </li>
          ))}
        </ul>
      )}
      {step !== null && step.lines.length > 0 && (
        <pre className="excerpt" tabIndex={0} aria-label={`End of the output of ${step.name}`}>
          <LogText lines={step.lines} />
        </pre>
      )}
      <p className="row small">
        {step === null ? (
          <Link to={to}>Open the job</Link>
        ) : last === undefined ? (
          <Link to={to + node}>Open the end of the log</Link>
        ) : (
          <Link to={to + node + permalink({ step: step.index, line: last })}>Open the log at line {last}</Link>
        )}
        {tests.length > 0 && <Link to={`${to}?view=tests`}>Failed tests</Link>}
      </p>
    </>
  )
}
