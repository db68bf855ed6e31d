import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LogText } from '#web/log/log-text.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { testOutputQuery } from '#web/read/test-queries.ts'

interface Props {
  readonly job: string
  /** Where the service keeps it. */
  readonly place: string
  readonly test: string
}

/** What a test printed: folded, and loaded when somebody unfolds it. */
export function TestOutput({ job, place, test }: Props) {
  const [open, setOpen] = useState(false)
  const output = useQuery({ ...testOutputQuery(job, place), enabled: open })
  return (
    <details className="test-output" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Output</summary>
      {open && (
        <QueryView query={output}>
          {({ text }) => (
            <pre className="excerpt" tabIndex={0} aria-label={`Output of ${test}`}>
              <LogText lines={text.split('\n')} />
            </pre>
          )}
        </QueryView>
      )}
    </details>
  )
}
