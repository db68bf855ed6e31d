import * as contract from '#contract/agent.ts'
import type { AgentId, JobId } from '#core/ids.ts'
import { Refusal } from '#kit/refusal.ts'
import { noteSeen, registerAgent, workingAgent } from '#server/app/agents.ts'
import type { App } from '#server/app/app.ts'
import { claimJobs } from '#server/app/assignments.ts'
import { waitFor } from '#server/app/bell.ts'
import type { Caller } from '#server/app/callers.ts'
import { finishJob } from '#server/app/finish-job.ts'
import { giveBack } from '#server/app/give-back.ts'
import { type Assignment, assignmentOf } from '#server/app/job-details.ts'
import { cancellationsFor, renew } from '#server/app/leases.ts'
import { showLog, WrongOffset } from '#server/app/logs.ts'
import { reportSteps } from '#server/app/report-steps.ts'
import { sshVisitors } from '#server/app/ssh-visitors.ts'
import { goneSignal } from '#server/api/gone.ts'
import type { Serving } from '#server/api/serve.ts'
import { jobSpec } from './spec.ts'

/** What agents say, other than logs. */
export function serveAgents({ serve }: Serving, app: App): void {
  const { world } = app
  const { acceptMs, leaseMs, holdMs } = world.terms

  serve(contract.registerAgent, async ({ caller, body }) => {
    const agent = agentOf(caller)
    await registerAgent(world, agent, { ...body, resourceClasses: body.resource_classes })
    return { agent_id: agent, lease_ms: leaseMs, accept_ms: acceptMs, hold_ms: holdMs }
  })

  serve(contract.claimJobs, async ({ caller, body, reply }) => {
    const id = agentOf(caller)
    await noteSeen(world, await workingAgent(world, id, body.instance))
    const signal = goneSignal(reply)
    const claimed = await waitFor(
      world.bell,
      ['queue', `agent:${id}`],
      () => claimSome(app, id, body.instance, body.free, signal),
      { ms: holdMs, signal },
    )
    return {
      jobs: (claimed ?? []).map((assignment) => jobSpec(world.terms, world.foldersOf(id) !== undefined, assignment)),
    }
  })

  serve(contract.heartbeat, async ({ caller, body, reply }) => {
    const id = agentOf(caller)
    await noteSeen(world, await workingAgent(world, id, body.instance))
    const holds = body.leases.map(({ job, fence }) => ({ job: job as JobId, fence }))
    const { cancel, isNews, lost } = await renew(world, id, holds)
    if (isNews || cancel.length > 0 || lost.length > 0) return { cancel: [...cancel], lost: [...lost] }
    const look = async () => {
      const found = await cancellationsFor(world, id)
      return found.length > 0 ? found : undefined
    }
    const found = await waitFor(world.bell, [`agent:${id}`], look, {
      ms: Math.min(holdMs, leaseMs / 4),
      signal: goneSignal(reply),
    })
    return { cancel: [...(found ?? [])], lost: [] }
  })

  serve(contract.reportSteps, async ({ caller, params, body }) => {
    await reportSteps(app, leaseOf(caller, params.id), body.steps.map(stepState))
    return { message: 'ok' }
  })

  serve(contract.showLog, async ({ caller, params, body, reply }) => {
    try {
      return { offset: await showLog(world, app.bodyOf, leaseOf(caller, params.id), params.index, body) }
    } catch (error) {
      if (error instanceof WrongOffset) return reply.code(416).send({ offset: error.offset })
      throw error
    }
  })

  serve(contract.getSshVisitors, async ({ caller, params }) => {
    const { users, keys } = await sshVisitors(world, leaseOf(caller, params.id).job_id)
    return { users: [...users], keys: [...keys] }
  })

  serve(contract.finishJob, async ({ caller, params, body }) => {
    const steps = body.steps.map((step) => ({ ...stepState(step), logCrc: step.log_crc }))
    await finishJob(world, app.bodyOf, leaseOf(caller, params.id), {
      outcome: body.outcome,
      reason: body.reason,
      steps,
    })
    return { message: 'ok' }
  })
}

const stepState = (step: contract.StepReport) => ({
  index: step.index,
  status: step.status,
  startedAt: step.started_at,
  endedAt: step.ended_at,
  exitCode: step.exit_code,
  logSize: step.log_size,
})

async function claimSome(
  app: App,
  id: AgentId,
  instance: string,
  free: number,
  signal: AbortSignal,
): Promise<readonly Assignment[] | undefined> {
  // Nobody would get what is claimed now.
  if (signal.aborted) return undefined
  const agent = await workingAgent(app.world, id, instance)
  const claimed = await claimJobs(app.world, agent, free)
  const assignments: Assignment[] = []
  for (const one of claimed) {
    try {
      assignments.push(await assignmentOf(app.world, app.bodyOf, one))
    } catch (error) {
      // A job that cannot even be described must not stop those behind it.
      await giveBack(app.world, one, error)
    }
  }
  return assignments.length > 0 ? assignments : undefined
}

function agentOf(caller: Caller): AgentId {
  if (caller.kind !== 'agent') throw new Refusal('forbidden', 'Permission denied')
  return caller.agent
}

/** The lease of a job token; it opens its own job only. */
export function leaseOf(caller: Caller, job: string) {
  if (caller.kind !== 'job' || caller.lease.job_id !== job) throw new Refusal('not-found', 'Job not found.')
  return caller.lease
}
