import type { JobBody, Step } from '#core/plan.ts'
import { readEnvironment } from './environment.ts'
import { readExecutor } from './executors/read-executor.ts'
import { asInteger, asMap, booleanAt, checkKeys, textAt, unexpected } from './read.ts'
import { readStep, type BareStep } from './steps/read-step.ts'
import { blame, type Trail } from './trail.ts'
import { get, isNull, type MapNode, type Node } from './yaml/node.ts'

/** Keys of a job that an executor may bring along. */
export const executorKeys = [
  'docker',
  'machine',
  'macos',
  'environment',
  'working_directory',
  'shell',
  'resource_class',
]

/** Keys of a job once its executor and its parameters are settled. */
export const jobKeys = [
  ...executorKeys,
  'type',
  'description',
  'steps',
  'parallelism',
  'circleci_ip_ranges',
  'retention',
  'branches',
]

const mostNodes = 1000
const usualDirectory = '~/project'

/** What an agent must know to run a job whose references are all resolved. */
export function readJobBody(job: MapNode, steps: readonly BareStep[], trail: Trail): JobBody | undefined {
  const executor = readExecutor(job, trail)
  const inner = get(job, 'machine') ?? get(job, 'macos')
  const parallelism = get(job, 'parallelism')
  const resourceClass =
    textAt(job, 'resource_class', trail) ?? (inner?.kind === 'map' ? textAt(inner, 'resource_class', trail) : undefined)
  const shell = readShell(get(job, 'shell'), trail) ?? readShell(get(inner, 'shell'), trail)
  const environment = readEnvironment(get(job, 'environment'), trail)
  const workingDirectory = textAt(job, 'working_directory', trail) ?? usualDirectory
  const cacheRetentionDays = readRetention(get(job, 'retention'), trail)
  booleanAt(job, 'circleci_ip_ranges', trail)
  const read = steps.map((step) => readStep(step, trail)).filter((step): step is Step => step !== undefined)
  // Steps that could not be expanded are problems already.
  if (steps.length === 0 && trail.problems.length === 0)
    blame(trail, get(job, 'steps') ?? job, 'A job must have at least one step')
  if (!executor) return undefined
  return {
    executor,
    ...(resourceClass !== undefined && { resourceClass }),
    parallelism:
      (parallelism && !isNull(parallelism) ? asInteger(parallelism, 1, mostNodes, trail, 'parallelism') : undefined) ??
      1,
    environment,
    workingDirectory,
    ...(shell !== undefined && { shell }),
    steps: read,
    ...(cacheRetentionDays !== undefined && { cacheRetentionDays }),
  }
}

function readShell(node: Node | undefined, trail: Trail): string | undefined {
  if (!node || isNull(node)) return undefined
  if (node.kind === 'scalar') return node.text
  if (node.kind === 'map') return unexpected(node, 'String', trail, 'shell')
  return node.items.map((item) => (item.kind === 'scalar' ? item.text : '')).join(' ')
}

function readRetention(node: Node | undefined, trail: Trail): number | undefined {
  if (!node || isNull(node)) return undefined
  const map = asMap(node, trail, 'retention')
  if (!map) return undefined
  checkKeys(map, ['caches'], trail)
  const text = textAt(map, 'caches', trail)
  const days = /^([1-9]|1[0-5])d$/.exec(text ?? '')
  if (text !== undefined && !days) blame(trail, map, `[retention.caches] must be from 1d to 15d, found: ${text}`)
  return days ? Number(days[1]) : undefined
}
