import type { JobBody, Step } from './plan.ts'

const enable: Step = { type: 'enable_ssh', name: 'Enable SSH', when: 'always' }
const wait: Step = { type: 'wait_for_ssh', name: 'Wait for SSH', when: 'always' }

/** Whether people may come into a job. */
export const hasSsh = (body: JobBody): boolean => body.steps.some(({ type }) => type === 'enable_ssh')

/**
 * A job body into whose place people may come: told in a step before all others but the one that makes the place, and waited for
 * in the last one. Somebody who looks for a fault wants nothing deployed by it.
 */
export function withSsh(body: JobBody): JobBody {
  if (hasSsh(body)) return body
  const steps = body.steps.map(undeployed)
  const at = steps[0]?.type === 'spin_up' ? 1 : 0
  return { ...body, steps: [...steps.slice(0, at), enable, ...steps.slice(at), wait] }
}

const undeployed = (step: Step): Step =>
  step.type === 'deploy' ? { ...step, type: 'run', command: 'echo "Running in SSH mode. Avoid deploying."' } : step
