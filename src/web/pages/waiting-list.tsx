import { useQuery } from '@tanstack/react-query'
import { waitingQuery } from '#web/read/queries.ts'

/** Why jobs that could run do not: a sentence for each. That a job waits for another one the graph shows. */
export function WaitingList({ workflow }: { readonly workflow: string }) {
  const { data } = useQuery(waitingQuery(workflow))
  const waiting = data?.items.filter(({ waits_for: { for: what } }) => what !== 'jobs') ?? []
  if (waiting.length === 0) return null
  // Many jobs wait for the same thing: it is said once.
  const reasons = Map.groupBy(waiting, ({ waits_for: { message } }) => message)
  return (
    <ul className="plain" aria-label="What is waiting">
      {[...reasons].map(([message, jobs]) => (
        <li key={message} className={jobs[0]?.waits_for.for === 'approval' ? 'sentence hold' : 'sentence'}>
          <strong>
            {jobs
              .slice(0, 5)
              .map(({ name }) => name)
              .join(', ')}
            {jobs.length > 5 && ` and ${jobs.length - 5} more`}
          </strong>
          : {message}
        </li>
      ))}
    </ul>
  )
}
