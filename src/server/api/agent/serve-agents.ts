import * as contract from '#contract/agent.ts'
import * as report from '#contract/agent/report.ts'
import type { AgentId, JobId } from '#core/ids.ts'
import { Refusal } from '#kit/refusal.ts'
import { noteDraining, noteObstacle, noteSeen, registerAgent, workingAgent } from '#server/app/agents.ts'
import type { App } from '#server/app/app.ts'
import { claimJobs } from '#server/app/assignments.ts'
import { waitFor } from '#server/app/bell.ts'
import type { Caller } from '#server/app/callers.ts'
import { finishJob } from '#server/app/finish-job.ts'
import { giveBack } from '#server/app/give-back.ts'
import { type Assignment, assignmentOf, type LeaseRow } from '#server/app/job-details.ts'
import { attendance, cancellationsFor, dropUnheld, type Hold, renew } from '#server/app/leases.ts'
import { showLog, WrongOffset } from '#server/app/logs.ts'
import { reportSteps } from '#server/app/report-steps.ts'
import { otherNodes } from '#server/app/other-nodes.ts'
import { ourTime } from '#server/app/our-time.ts'
import { sshVisitors } from '#server/app/ssh-visitors.ts'
import { goneSignal } from '#server/api/gone.ts'
import type { Serving } from '#server/api/serve.ts'
import { jobSpec } from './spec.ts'

/** What agents say, other than logs. */
export function serveAgents({ serve }: Serving, app: App): void {
  const { world } = app
  const { acceptMs, leaseMs, holdMs } = world.terms
  const attend = attendance(world)

  serve(contract.registerAgent, async ({ caller, body }) => {
    const agent = agentOf(caller)
    checkProtocol(body.name ?? agent, body.version, body.protocol)
    const { instance, version, slots, resource_classes: resourceClasses, labels, executors } = body
    const name = body.name !== undefined && { name: body.name }
    const offer = { ...(labels && { labels }), ...(executors && { executors }) }
    const called = await registerAgent(world, agent, { instance, ...name, version, slots, resourceClasses, ...offer })
    if (body.leases) await dropUnheld(world, agent, body.leases.map(toHold))
    return { agent_id: agent, name: called, lease_ms: leaseMs, accept_ms: acceptMs, hold_ms: holdMs }
  })

  serve(contract.claimJobs, async ({ caller, body, reply }) => {
    const id = agentOf(caller)
    const agent = await workingAgent(world, id, body.instance)
    await noteSeen(world, agent)
    await noteObstacle(world, agent, body.obstacle ?? null)
    await attend(id, body.leases?.map(toHold))
    if (body.obstacle !== undefined) return { jobs: [], ...(agent.mode === 'draining' && { drain: true }) }
    const signal = goneSignal(reply)
    const claimed = await waitFor(
      world.bell,
      ['queue', `agent:${id}`],
      () => claimSome(app, id, body.instance, body.free, signal),
      { ms: holdMs, signal },
    )
    if (claimed === 'drain') return { jobs: [], drain: true }
    return {
      jobs: (claimed ?? []).map((assignment) => jobSpec(world.terms, world.foldersOf(id) !== undefined, assignment)),
    }
  })

  serve(contract.heartbeat, async ({ caller, body, reply }) => {
    const id = agentOf(caller)
    const agent = await workingAgent(world, id, body.instance)
    await noteSeen(world, agent)
    if (body.draining === true) await noteDraining(world, agent)
    const holds = body.leases.map(toHold)
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

  serve(report.reportSteps, async ({ caller, params, body }) => {
    const lease = leaseOf(caller, params.id)
    await reportSteps(app, lease, body.steps.map(clockOf(lease, body.sent_at)))
    return { message: 'ok' }
  })

  serve(report.waitForNodes, async ({ caller, params, reply }) => {
    const lease = leaseOf(caller, params.id)
    const look = async (): Promise<'succeeded' | 'failed' | undefined> => {
      const others = await otherNodes(world, lease)
      return others === 'running' ? undefined : others
    }
    const signal = goneSignal(reply)
    const others = await waitFor(world.bell, [`job:${lease.job_id}`], look, { ms: holdMs, signal })
    return { others: others ?? ('running' as const) }
  })

  serve(report.showLog, async ({ caller, params, body, reply }) => {
    try {
      return { offset: await showLog(world, app.bodyOf, leaseOf(caller, params.id), params.index, body) }
    } catch (error) {
      if (error instanceof WrongOffset) return reply.code(416).send({ offset: error.offset })
      throw error
    }
  })

  serve(report.getSshVisitors, async ({ caller, params }) => {
    const { users, keys } = await sshVisitors(world, leaseOf(caller, params.id).job_id)
    return { users: [...users], keys: [...keys] }
  })

  serve(report.finishJob, async ({ caller, params, body }) => {
    const lease = leaseOf(caller, params.id)
    const told = clockOf(lease, body.sent_at)
    const steps = body.steps.map((step) => ({ ...told(step), logCrc: step.log_crc }))
    await finishJob(world, app.bodyOf, lease, {
      outcome: body.outcome,
      reason: body.reason,
      steps,
    })
    return { message: 'ok' }
  })

  /** Reads reports of steps, their times by our clock. */
  function clockOf(lease: LeaseRow, sentAt: string | undefined) {
    const { now } = world
    const ours = ourTime({ sentAt, now: now(), from: lease.claimed_at })
    return (step: report.StepReport) => ({
      index: step.index,
      status: step.status,
      startedAt: ours(step.started_at),
      endedAt: step.ended_at === null ? null : ours(step.ended_at),
      exitCode: step.exit_code,
      logSize: step.log_size,
    })
  }
}

/** Refuses an agent with which we could not speak, and says which of the two is the older one. */
function checkProtocol(name: string, version: string, spoken = 1): void {
  if (spoken === contract.agentProtocol) return
  const [older, newer] = spoken < contract.agentProtocol ? ['agent', 'server'] : ['server', 'agent']
  throw new Refusal(
    'conflict',
    `Cannot register agent ${name} (version ${version}) as this server speaks protocol ${contract.agentProtocol} with agents: ` +
      `it speaks ${spoken}; the ${older} is too old for the ${newer}, update the ${older}`,
  )
}

async function claimSome(
  app: App,
  id: AgentId,
  instance: string,
  free: number,
  signal: AbortSignal,
): Promise<readonly Assignment[] | 'drain' | undefined> {
  // Nobody would get what is claimed now.
  if (signal.aborted) return undefined
  const agent = await workingAgent(app.world, id, instance)
  if (agent.mode === 'draining') return 'drain'
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

const toHold = ({ job, fence }: { readonly job: string; readonly fence: number }): Hold => ({
  job: job as JobId,
  fence,
})
