import type { StepSpec } from '#contract/agent.ts'
import { spinUp } from './spin-up.ts'
import type { Work } from './work.ts'

type Doable = Exclude<StepSpec['type'], 'run' | 'deploy' | 'checkout'>
type Works = { readonly [T in Doable]?: Work<Extract<StepSpec, { type: T }>> }

/** The steps that the agent does itself, each loaded when it is first needed: most jobs have none of them. */
const works: Works = {
  spin_up: spinUp,
  store_test_results: async (tools) => (await import('./store-test-results.ts')).storeTestResults(tools),
}

/** What the agent does for a step of this type; undefined where a command does it. */
export const workFor = (type: StepSpec['type']): Work | undefined => (works as Partial<Record<string, Work>>)[type]

/** Whether a step of this kind is done by the agent and not by a command. */
export const isDoneByAgent = (step: StepSpec): boolean => workFor(step.type) !== undefined
