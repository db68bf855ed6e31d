import { useState } from 'react'
import type { FailedTest as Failed } from '#contract/rh/tests.ts'
import type { Slug } from '#web/address.ts'
import { LogText } from '#web/log/log-text.tsx'
import { lengthOf } from '#web/times.ts'
import { FlakyMark } from './flaky-mark.tsx'
import { TestHistory } from './test-history.tsx'
import { TestOutput } from './test-output.tsx'
import { TestResult } from './test-result.tsx'

interface Props {
  readonly slug: Slug
  /** The id of the project, once it is known. */
  readonly project: string | undefined
  readonly job: string
  readonly test: Failed
  readonly flaky: boolean
}

/** A test that failed: what it said, and, when somebody asks, how it went before. */
export function FailedTest({ slug, project, job, test, flaky }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <li className="failure panel">
      <h2 className="failed-test">
        <TestResult result={test.result} />
        <span className="name">{test.name}</span>
        {flaky && <FlakyMark />}
      </h2>
      <p className="facts">
        {test.classname !== '' && <span>{test.classname}</span>}
        {test.file !== '' && <code>{test.file}</code>}
        <span>{lengthOf(test.run_time * 1000)}</span>
        <button type="button" className="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          History
        </button>
      </p>
      {test.message !== '' && (
        <pre className="excerpt" tabIndex={0} aria-label={`What ${test.name} said`}>
          <LogText lines={test.message.split('\n')} />
        </pre>
      )}
      {test.output !== null && <TestOutput job={job} place={test.output} test={test.name} />}
      {open && project !== undefined && <TestHistory slug={slug} project={project} test={test} />}
    </li>
  )
}
