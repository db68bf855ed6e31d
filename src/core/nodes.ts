import type { Outcome } from './job.ts'

/** How one node of a job can end: none is refused its contexts alone. */
export type NodeOutcome = Exclude<Outcome, 'unauthorized'>

/** Where one node of a job stands. */
export type NodeStatus = 'queued' | 'running' | NodeOutcome

const isOpen = (status: NodeStatus): boolean => status === 'queued' || status === 'running'

/** The worst first: what a person must mend counts before what we must. */
const byWeight: readonly NodeOutcome[] = ['failed', 'timedout', 'infrastructure_fail', 'canceled', 'success']

/**
 * How a job of these nodes ended; nothing while it goes on. One node that fails spoils the job, and the others still run to their end;
 * one whose machine fails ends it at once, as the job is tried again whole.
 */
export function outcomeOfNodes(nodes: readonly NodeStatus[]): NodeOutcome | undefined {
  if (nodes.some(isOpen)) return nodes.includes('infrastructure_fail') ? 'infrastructure_fail' : undefined
  return byWeight.find((outcome) => nodes.includes(outcome))
}

/** How the other nodes stand for one that must be the last (`deploy`). */
export function othersOf(others: readonly NodeStatus[]): 'running' | 'succeeded' | 'failed' {
  if (others.some((status) => !isOpen(status) && status !== 'success')) return 'failed'
  return others.some(isOpen) ? 'running' : 'succeeded'
}
