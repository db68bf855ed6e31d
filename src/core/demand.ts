import { assertNever } from '#kit/brand.ts'
import type { JobBody } from './plan.ts'

/** What a machine can be asked to run; `windows` is a machine with such an image. */
export type ExecutorName = 'docker' | 'machine' | 'macos' | 'windows'

/** What a job needs an agent to have; one that begins with `arm-` needs an agent on such a processor too. */
export type ExecutorKind = ExecutorName | 'arm-docker' | 'arm-machine'

/** What an agent has, in its own words: executors, and `arm` where its processor is one. */
export interface Offer {
  readonly executors: readonly string[]
  /** None: any. */
  readonly resourceClasses: readonly string[]
  readonly labels: readonly string[]
}

/** What a job must find in an agent. A resource class may end in labels: `large@gpu,ssd`. */
export interface Demand {
  readonly executor: string
  readonly resourceClass: string
  readonly labels: readonly string[]
}

/** The kind of executor that a compiled job asks for: its resource class and image say the processor and the system. */
export function executorKindOf({ executor, resourceClass = '' }: JobBody): ExecutorKind {
  const isArm = resourceClass.startsWith('arm.')
  switch (executor.type) {
    case 'macos':
      return 'macos'
    case 'docker':
      return isArm ? 'arm-docker' : 'docker'
    case 'machine':
      if (resourceClass.startsWith('windows.') || executor.image?.startsWith('windows-')) return 'windows'
      return isArm ? 'arm-machine' : 'machine'
    default:
      return assertNever(executor)
  }
}

/** A demand in one word: equal demands can be met by the same agents. */
export const demandText = (executor: ExecutorKind, resourceClass: string): string => `${executor} ${resourceClass}`

/** Takes the word apart again. */
export function toDemand(text: string): Demand {
  const blank = text.indexOf(' ')
  const [resourceClass = '', labels = ''] = text.slice(blank + 1).split('@')
  return { executor: text.slice(0, blank), resourceClass, labels: labels.split(',').filter(Boolean) }
}

/** What an agent lacks to run a job of such a demand; nothing where it can. */
export function lacking(offer: Offer, { executor, resourceClass, labels }: Demand): keyof Offer | undefined {
  const isArm = executor.startsWith('arm-')
  const wanted = isArm ? [executor.slice('arm-'.length), 'arm'] : [executor]
  if (!wanted.every((word) => offer.executors.includes(word))) return 'executors'
  if (offer.resourceClasses.length > 0 && !offer.resourceClasses.includes(resourceClass)) return 'resourceClasses'
  return labels.every((label) => offer.labels.includes(label)) ? undefined : 'labels'
}
