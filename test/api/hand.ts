import { agentProtocol, claimJobs, type JobSpec, registerAgent } from '#contract/agent.ts'
import { finishJob, reportSteps, type StepReport } from '#contract/agent/report.ts'
import { newAgent } from '#server/app/agents.ts'
import type { Service } from './service.ts'

export type Outcome = 'success' | 'failed' | 'canceled' | 'timedout' | 'infrastructure_fail'

/** What an agent says of a step that has begun. */
export const runningStep = (index: number, at: string): StepReport => ({
  index,
  status: 'running',
  started_at: at,
  ended_at: null,
  exit_code: null,
  log_size: null,
  log_crc: null,
})

/** An agent that speaks the protocol and runs nothing: jobs end as the test says. */
export async function newHand(service: Service) {
  const { token } = await newAgent(service.world, 'hand')
  const instance = service.world.newId()
  await service.call(
    registerAgent,
    { body: { instance, name: 'hand', version: '0', slots: 100, resource_classes: [], protocol: agentProtocol } },
    token,
  )

  /** Waits for jobs. */
  const claim = async (): Promise<readonly JobSpec[]> =>
    (await service.call(claimJobs, { body: { instance, free: 100 } }, token)).jobs

  async function finish({ id, token: key, steps }: JobSpec, outcome: Outcome): Promise<void> {
    const at = service.world.now()
    const step = runningStep(0, at)
    await service.call(reportSteps, { params: { id }, body: { steps: [step] } }, key)
    const ended = steps.map((_, index) => ({
      ...step,
      index,
      status: outcome,
      ended_at: at,
      exit_code: outcome === 'success' ? 0 : 1,
      log_size: 0,
      log_crc: 0,
    }))
    await service.call(finishJob, { params: { id }, body: { outcome, reason: null, steps: ended } }, key)
  }

  return {
    claim,
    finish,
    /** Plays jobs as they come until one of that name was among them. */
    async play(name: string, outcome: Outcome): Promise<JobSpec> {
      for (let turn = 0; turn < 10; turn += 1) {
        const jobs = await claim()
        for (const job of jobs) await finish(job, job.name === name ? outcome : 'success')
        const found = jobs.find((job) => job.name === name)
        if (found) return found
      }
      throw new Error(`Cannot find a job ${name}`)
    },
  }
}
