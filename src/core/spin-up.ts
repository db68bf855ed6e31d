import type { Image, JobBody, Step } from './plan.ts'

/**
 * A job body as it is kept: a docker job begins with a step in which its images are pulled and its containers started, then one
 * for what each service prints, then one that tells its variables (B3).
 */
export const withSpinUp = (body: JobBody): JobBody =>
  body.executor.type === 'docker'
    ? {
        ...body,
        steps: [
          { type: 'spin_up', name: 'Spin up environment', when: 'always' },
          ...body.executor.images.slice(1).map(serviceStep),
          { type: 'prepare_environment', name: 'Preparing environment variables', when: 'always' },
          ...body.steps,
        ],
      }
    : body

const serviceStep = ({ image }: Image, index: number): Step => ({
  type: 'service',
  name: `Container ${image}`,
  when: 'always',
  service: index + 1,
  background: true,
})
