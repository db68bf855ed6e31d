import type { Executor } from '#core/plan.ts'
import { blame, type Trail } from '#config/trail.ts'
import { get, type MapNode } from '#config/yaml/node.ts'
import { readDocker } from './docker.ts'
import { readMachine, readMacos } from './machine.ts'

/** The keys that say where a job runs. */
export const executorTypes = ['docker', 'machine', 'macos'] as const

/** Where a job runs; exactly one of the three must say so. */
export function readExecutor(job: MapNode, trail: Trail): Executor | undefined {
  const given = executorTypes.filter((type) => isGiven(job, type))
  if (given.length === 1) return readers[given[0]!](get(job, given[0]!)!, trail)
  if (given.length > 1) blame(trail, job, `Cannot run a job in more than one place: ${given.join(', ')}`)
  else blame(trail, job, 'A job must have one of `docker`, `machine`, `macos` or `executor`')
  return undefined
}

/** `machine: false` says nothing. */
function isGiven(job: MapNode, type: string): boolean {
  const node = get(job, type)
  return node !== undefined && !(node.kind === 'scalar' && node.value === false)
}

const readers = { docker: readDocker, machine: readMachine, macos: readMacos }
