import { type ActionWords, actionWords, type StepStatus } from '#core/step-words.ts'
import { between, type Instant } from '#kit/brand.ts'
import type { StepRow } from '#server/app/job-page.ts'
import type { World } from '#server/app/world.ts'
import { outputUrl } from './output.ts'

/** Steps of a build that have begun, with an action for each node that has; where they were skipped they never did. */
export function stepRecords(world: World, steps: readonly StepRow[], nodes: number) {
  const shown = new Map<number, { readonly name: string; readonly actions: ReturnType<typeof actionRecord>[] }>()
  for (const step of steps.toSorted((a, b) => a.position - b.position || a.node - b.node)) {
    const words = actionWords[step.status as StepStatus]
    if (!words) continue
    const action = actionRecord(world, step, words, nodes > 1)
    const known = shown.get(step.position)
    if (known) known.actions.push(action)
    else shown.set(step.position, { name: step.name, actions: [action] })
  }
  return [...shown.values()]
}

function actionRecord(world: World, step: StepRow, words: ActionWords, parallel: boolean) {
  return {
    name: step.name,
    bash_command: step.command === '' ? null : step.command,
    run_time_millis: step.ended_at === null ? null : between(step.started_at as Instant, step.ended_at as Instant),
    start_time: step.started_at,
    end_time: step.ended_at,
    exit_code: step.exit_code,
    type: typeOf(step.type),
    index: step.node,
    step: step.position,
    status: words.status,
    messages: [] as string[],
    source: 'config',
    failed: words.failed ?? null,
    continue: null,
    parallel,
    timedout: words.timedout ?? null,
    infrastructure_fail: words.infrastructureFail ?? null,
    canceled: words.canceled ?? null,
    background: step.background === 1,
    insignificant: false,
    // A whole log is never larger than what is kept; where secrets were masked in a cut one, it may look whole.
    truncated: step.log_size > world.terms.mostLogBytes,
    has_output: step.log_size > 0,
    ...(step.log_size > 0 && { output_url: outputUrl(world, step) }),
  }
}

function typeOf(step: string): 'checkout' | 'deployment' | 'test' | 'infrastructure' {
  if (step === 'checkout') return 'checkout'
  if (step === 'deploy') return 'deployment'
  return step === 'run' ? 'test' : 'infrastructure'
}
