import type { JobSpec } from '#contract/agent.ts'
import { directoryOf, stepEnvironment } from '#agent/environment.ts'
import type { Place } from '#agent/executors/executor.ts'
import type { JobServer } from '#agent/server.ts'
import type { Visit, VisitorKey } from './visit.ts'

/** Whether people may come into a job. */
export const isOpenJob = (spec: JobSpec): boolean => spec.steps.some(({ type }) => type === 'enable_ssh')

/** How a job is called by those who come: short, and no other has it. */
export const nameOf = ({ id, node_index, node_total }: JobSpec): string =>
  `${id.replaceAll('-', '').slice(-16)}${node_total > 1 ? `-${node_index}` : ''}`

/** A job as its visitors find it: as its steps do. */
export function visitOf(spec: JobSpec, place: Place, server: JobServer): Visit {
  let known: readonly VisitorKey[] = []
  return {
    name: nameOf(spec),
    place,
    setting: () => ({
      directory: directoryOf(spec.working_directory, place.home, place.home),
      environment: stepEnvironment(spec, place),
    }),
    async keys() {
      try {
        known = (await server.visitors(AbortSignal.timeout(5000))).keys
      } catch {
        // Who is in trouble with a server that is away wants to come in all the more: who was let in before still is.
      }
      return known
    },
  }
}
