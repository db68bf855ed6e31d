import type { Step } from '#core/plan.ts'
import { durationAt } from '#config/duration.ts'
import { readEnvironment } from '#config/environment.ts'
import { asInteger, booleanAt, neededText, textAt } from '#config/read.ts'
import { blame, type Trail } from '#config/trail.ts'
import { get, isNull, type MapNode } from '#config/yaml/node.ts'
import { commonKeys, nameAndWhen, type StepKind } from './step-kind.ts'

const keys = [
  ...commonKeys,
  'command',
  'shell',
  'environment',
  'background',
  'working_directory',
  'no_output_timeout',
  'max_auto_reruns',
  'auto_rerun_delay',
]
const usualSilence = 600_000
const longestDelay = 600_000

/** Runs a command: what most steps are. */
export const run: StepKind = { keys, shorthand: 'command', read: (body, trail) => readRun('run', body, trail) }

/** Deprecated, and still written: a `run` for the first node, once all nodes have succeeded. */
export const deploy: StepKind = { keys, read: (body, trail) => readRun('deploy', body, trail) }

function readRun(type: 'run' | 'deploy', body: MapNode, trail: Trail): Step | undefined {
  const command = neededText(body, 'command', trail)
  const background = booleanAt(body, 'background', trail) ?? false
  const shell = textAt(body, 'shell', trail)
  const workingDirectory = textAt(body, 'working_directory', trail)
  const environment = readEnvironment(get(body, 'environment'), trail)
  const noOutputTimeoutMs = durationAt(body, 'no_output_timeout', trail) ?? usualSilence
  const reruns = readReruns(body, background, trail)
  const named = nameAndWhen(body, command ?? '', 'on_success', trail)
  if (command === undefined) return undefined
  return {
    ...named,
    type,
    command,
    ...(shell !== undefined && { shell }),
    environment,
    ...(workingDirectory !== undefined && { workingDirectory }),
    background,
    noOutputTimeoutMs,
    ...reruns,
  }
}

function readReruns(body: MapNode, background: boolean, trail: Trail) {
  const node = get(body, 'max_auto_reruns')
  const delay = get(body, 'auto_rerun_delay')
  const autoRerunDelayMs = durationAt(body, 'auto_rerun_delay', trail)
  if (!node || isNull(node)) {
    if (delay) blame(trail, delay, 'Cannot use [auto_rerun_delay] without [max_auto_reruns]')
    return {}
  }
  if (background) blame(trail, node, 'Cannot use [max_auto_reruns] in a step that runs in the background')
  if (autoRerunDelayMs !== undefined && autoRerunDelayMs > longestDelay) {
    blame(trail, delay, 'Cannot use an [auto_rerun_delay] of more than 10m')
  }
  const maxAutoReruns = asInteger(node, 1, 5, trail, 'max_auto_reruns')
  return {
    ...(maxAutoReruns !== undefined && { maxAutoReruns }),
    ...(autoRerunDelayMs !== undefined && { autoRerunDelayMs }),
  }
}
