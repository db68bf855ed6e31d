import type { JobBody } from './plan.ts'

/** A job body as it is kept: a docker job begins with a step in which its images are pulled and its containers started. */
export const withSpinUp = (body: JobBody): JobBody =>
  body.executor.type === 'docker'
    ? { ...body, steps: [{ type: 'spin_up', name: 'Spin up environment', when: 'always' }, ...body.steps] }
    : body
