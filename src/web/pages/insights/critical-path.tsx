import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { WorkflowRun } from '#contract/v2/metrics.ts'
import { DataTable } from '#web/parts/data-table.tsx'
import { QueryView } from '#web/parts/query-view.tsx'
import { criticalPathQuery } from '#web/read/insight-queries.ts'
import { lengthOf } from '#web/times.ts'

/** So many runs can be chosen from: older ones are rarely of interest, and a list of hundreds is none. */
const mostRuns = 20

/** Which jobs decided how long a run took, of runs that begin with the newest; which run is in the address. */
export function CriticalPath({ runs }: { readonly runs: readonly WorkflowRun[] }) {
  const [search, setSearch] = useSearchParams()
  const choices = runs.slice(0, mostRuns)
  const run = choices.find(({ id }) => id === search.get('run')) ?? choices[0]
  if (!run) return null
  const choose = (id: string) => {
    setSearch(
      (before) => {
        const words = new URLSearchParams(before)
        words.set('run', id)
        return words
      },
      { preventScrollReset: true },
    )
  }
  return (
    <>
      <h3>What decided how long it took</h3>
      <div className="filters">
        <select aria-label="Run" value={run.id} onChange={(event) => choose(event.target.value)}>
          {choices.map((one) => (
            <option key={one.id} value={one.id}>
              {new Date(one.created_at).toLocaleString()} · {one.status} · {lengthOf(one.duration * 1000)}
            </option>
          ))}
        </select>
      </div>
      <Path run={run.id} />
    </>
  )
}

const waits = { agent: 'an agent', person: 'approval', 'serial-group': 'its serial group' } as const

/** How unevenly the work of a job is shared by its nodes: the longest of them decides. */
function nodes(times: readonly number[] = []): string {
  if (times.length < 2) return ''
  return ` (${times.length} nodes, ${lengthOf(Math.min(...times))} to ${lengthOf(Math.max(...times))})`
}

function Path({ run }: { readonly run: string }) {
  const path = useQuery(criticalPathQuery(run))
  return (
    <QueryView query={path}>
      {({ jobs }) => (
        <DataTable
          caption="Critical path"
          empty="No job of this run decided it: it was canceled, or nothing ran."
          rows={jobs}
          keyOf={({ id }) => id}
          columns={[
            { name: 'Job', cell: ({ name }) => name },
            { name: 'Waited', number: true, cell: ({ waited_ms }) => lengthOf(waited_ms) },
            { name: 'Waited for', cell: ({ waited_for }) => waits[waited_for] },
            { name: 'Ran', number: true, cell: ({ ran_ms, nodes_ms }) => `${lengthOf(ran_ms)}${nodes(nodes_ms)}` },
            {
              name: 'Without it',
              number: true,
              cell: ({ waited_for, worth_ms }) => (waited_for === 'agent' ? `${lengthOf(worth_ms)} shorter` : ''),
            },
          ]}
        />
      )}
    </QueryView>
  )
}
