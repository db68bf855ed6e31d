import { Link, useSearchParams } from 'react-router'
import type { JobPage } from '#contract/rh/job.ts'
import { StatusShape } from '#web/parts/status.tsx'
import { Length } from '#web/parts/when.tsx'
import { statusLook } from '#web/status-look.ts'

/** The nodes of a job that runs on several; each has an address of its own. */
export function NodeChoice({ job }: { readonly job: JobPage }) {
  const [search] = useSearchParams()
  if (job.nodes.length < 2) return null
  const to = (node: number) => {
    const next = new URLSearchParams(search)
    next.set('node', String(node))
    return `?${next.toString()}`
  }
  return (
    <nav aria-label="Nodes">
      <ul className="segments nodes">
        {job.nodes.map((node) => (
          <li key={node.index}>
            <Link to={to(node.index)} aria-current={node.index === job.node ? 'true' : undefined}>
              <StatusShape status={node.status} />
              <span className="unseen">Node </span>
              {node.index}
              <span className="unseen">, {statusLook[node.status].label}</span>{' '}
              <Length from={node.started_at} to={node.stopped_at} running={node.status === 'running'} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
