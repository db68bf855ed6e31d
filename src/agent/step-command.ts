import type { JobSpec, StepSpec } from '#contract/agent.ts'
import { assertNever } from '#kit/brand.ts'
import { directoryOf, shellOf, stepEnvironment } from './environment.ts'
import type { Command, Place } from './executors/executor.ts'
import type { Work } from './works/work.ts'
import { workFor } from './works/works.ts'

/** What a step comes to: a command to run, something that the agent does itself, or its words and an end without doing anything. */
export type StepWork =
  | { readonly type: 'run'; readonly command: Omit<Command, 'step' | 'attempt'> }
  | { readonly type: 'do'; readonly work: Work }
  | { readonly type: 'say'; readonly words: string; readonly status: 'success' | 'failed' | 'skipped' }

/** Makes of one step what the place can do. */
export function workOf(spec: JobSpec, step: StepSpec, place: Place): StepWork {
  const work = workFor(step.type)
  if (work) return { type: 'do', work }
  const base = directoryOf(spec.working_directory, place.home, place.home)
  switch (step.type) {
    case 'spin_up':
    case 'deploy':
    case 'run':
      return run()
    case 'checkout':
    case 'restore_cache':
    case 'save_cache':
    case 'persist_to_workspace':
    case 'attach_workspace':
    case 'store_artifacts':
    case 'store_test_results':
      return say('failed', `Cannot do ${step.type}: this agent does not upload files`)
    case 'add_ssh_keys':
    case 'service':
    case 'prepare_environment':
    case 'enable_ssh':
    case 'wait_for_ssh':
    case 'setup_remote_docker':
      return say('failed', `Cannot do ${step.type}: this agent does not support it`)
    default:
      return assertNever(step)
  }

  function run(): StepWork {
    if (step.type !== 'run' && step.type !== 'deploy') return say('failed', 'Cannot run this step')
    const { command: script, background } = step
    const directory = directoryOf(step.working_directory ?? '.', base, place.home)
    const environment = stepEnvironment(spec, place, step.environment)
    const shell = shellOf(spec, step, place.bash)
    return { type: 'run', command: { script, shell, directory, environment, background } }
  }
}

const say = (status: 'success' | 'failed' | 'skipped', words: string): StepWork => ({
  type: 'say',
  status,
  words: `${words}\n`,
})
