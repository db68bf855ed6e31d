import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import { Refusal } from '#kit/refusal.ts'
import type { WorkflowId } from './ids.ts'
import { isOver, type JobStatus } from './job.ts'
import { newWorkflow } from './new-workflow.ts'
import type { Ending } from './plan.ts'
import { approves, begin, cancel, cancels, ends, jobId, noon, requeues, retries, starts, workflow } from './play.ts'
import { rerun } from './rerun.ts'
import { decide, type Workflow, type WorkflowCommand, type WorkflowEvent } from './workflow.ts'
import { isTerminal, statusOf } from './workflow-status.ts'

const endings: readonly Ending[] = ['success', 'failed', 'canceled', 'unauthorized', 'not_run']

const anyNeed = fc.record({
  back: fc.nat(11),
  on: fc.oneof(
    { weight: 3, arbitrary: fc.constant<Ending[]>(['success']) },
    { weight: 1, arbitrary: fc.subarray([...endings], { minLength: 1 }) },
  ),
})

const anyLine = fc.record({
  mark: fc.constantFrom('', '', '', '', '?', '!', '~'),
  needs: fc.array(anyNeed, { maxLength: 3 }),
})

/** One to twelve jobs `j0`, `j1`, ..., of any kind, each of which needs some of those before it. */
const anyWorkflow: fc.Arbitrary<Workflow> = fc.array(anyLine, { minLength: 1, maxLength: 12 }).map((lines) =>
  workflow(
    ...lines.map(({ mark, needs }, index) => {
      const before = new Map(needs.filter(() => index > 0).map(({ back, on }) => [`j${back % index}`, on.join('|')]))
      return `j${index}${mark}: ${[...before].map(([name, on]) => `${name}=${on}`).join(' ')}`
    }),
  ),
)

/** Throws for `live`: more than it needs for the largest workflow. */
const choices: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(1000), { minLength: 200, maxLength: 200 })

/** Lives the life of a workflow with legal commands only, as the dice fall, to its end or for so many moves. */
function live(
  start: Workflow,
  dice: readonly number[],
  most = dice.length,
): { readonly workflow: Workflow; readonly events: readonly WorkflowEvent[] } {
  let { workflow: now, events } = decide(start, begin, noon)
  for (const die of dice.slice(0, most)) {
    const possible = now.jobs.flatMap((job): WorkflowCommand[] => {
      if (job.status === 'on_hold') return [approves(job.id), cancels(job.id)]
      if (job.status === 'queued') return [starts(job.id), starts(job.id), starts(job.id), cancels(job.id)]
      if (job.status !== 'running') return []
      const retry = job.attempt < 3 ? [retries(job.id, jobId(`${job.id}+`))] : []
      return [ends(job.id, 'success'), ends(job.id, 'failed'), ends(job.id, 'timedout'), cancels(job.id), ...retry]
    })
    const command = possible[die % possible.length]
    if (!command) break
    const decision = decide(now, command, noon)
    now = decision.workflow
    events = [...events, ...decision.events]
  }
  return { workflow: now, events }
}

/** Written down a second time on purpose: where a job may go from where it is, in one decision. */
const moves: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  blocked: ['on_hold', 'queued', 'not_run', 'success', 'unauthorized', 'canceled'],
  on_hold: ['success', 'canceled'],
  queued: ['running', 'canceled', 'unauthorized', 'infrastructure_fail', 'retried'],
  running: ['queued', 'success', 'failed', 'canceled', 'unauthorized', 'infrastructure_fail', 'timedout', 'retried'],
  not_run: [],
  retried: [],
  success: [],
  failed: [],
  canceled: [],
  unauthorized: [],
  infrastructure_fail: [],
  timedout: [],
}

const outcomes = ['success', 'failed', 'canceled', 'unauthorized', 'infrastructure_fail', 'timedout'] as const

const anyCommand = fc
  .record({
    job: fc.nat(11).map((n) => `j${n}`),
    outcome: fc.constantFrom(...outcomes),
    type: fc.nat(20),
    new: fc.uuid(),
  })
  .map((dice): WorkflowCommand => {
    if (dice.type === 20) return cancel
    if (dice.type === 19) return begin
    const makers = [starts, starts, starts, starts, approves, approves, requeues, cancels]
    if (dice.type === 18) return retries(dice.job, dice.new)
    return makers[dice.type]?.(dice.job) ?? ends(dice.job, dice.outcome)
  })

/** Gives a command; a refusal is a fine answer, any other error is not. */
function tried(before: Workflow, command: WorkflowCommand) {
  try {
    return decide(before, command, noon)
  } catch (error) {
    if (error instanceof Refusal) return { workflow: before, events: [] }
    throw error
  }
}

const statusesOf = ({ jobs }: Workflow) => new Map(jobs.map((job) => [job.id, job.status]))

test('no command, in any order, moves a job where it may not go, loses one, or changes what has ended', () => {
  fc.assert(
    fc.property(anyWorkflow, fc.array(anyCommand, { maxLength: 60 }), (start, commands) => {
      let before = start
      for (const command of [begin, ...commands]) {
        const { workflow: after } = tried(before, command)
        const now = statusesOf(after)
        for (const [id, was] of statusesOf(before)) {
          const is = now.get(id)
          assert.ok(
            is !== undefined && (is === was || moves[was].includes(is)),
            `${id} went from ${was} to ${is} by ${command.type}`,
          )
        }
        if (isTerminal(before.status)) assert.deepEqual(after, before)
        before = after
      }
    }),
  )
})

test('the status of a workflow never disagrees with its jobs', () => {
  fc.assert(
    fc.property(anyWorkflow, fc.array(anyCommand, { maxLength: 60 }), (start, commands) => {
      let now = start
      for (const command of [begin, ...commands]) {
        now = tried(now, command).workflow
        assert.equal(
          isTerminal(now.status),
          now.jobs.every((job) => isOver(job.status)),
        )
        assert.ok([statusOf(now.jobs), statusOf(now.jobs, true)].includes(now.status))
        assert.equal(now.stoppedAt !== undefined, isTerminal(now.status))
      }
    }),
  )
})

test('every workflow completes exactly once, in whatever order its jobs end, and each build is told completed at most once', () => {
  fc.assert(
    fc.property(anyWorkflow, choices, (start, dice) => {
      const { workflow: ended, events } = live(start, dice)
      assert.ok(isTerminal(ended.status), `still ${ended.status}`)
      assert.deepEqual(
        events.filter((event) => event.type === 'workflow-completed').map((event) => event.status),
        [ended.status],
      )
      const builds = ended.jobs.filter((job) => job.kind === 'build' && job.status !== 'not_run').map((job) => job.id)
      const told = events.flatMap((event) => (event.type === 'job-completed' ? [event.job] : []))
      assert.deepEqual(told.toSorted(), builds.toSorted())
    }),
  )
})

test('two endings that arrive in either order make the same workflow', () => {
  const pair = fc.tuple(fc.constantFrom(...outcomes), fc.constantFrom(...outcomes))
  fc.assert(
    fc.property(anyWorkflow, choices, pair, (start, dice, [first, second]) => {
      const half = live(start, dice, Math.floor(start.jobs.length / 2)).workflow
      const running = half.jobs.filter((job) => job.status === 'running')
      if (running.length < 2) return
      const [a, b] = [ends(running[0]!.id, first), ends(running[1]!.id, second)]
      const finish = (...commands: WorkflowCommand[]) =>
        commands.reduce((now, command) => decide(now, command, noon).workflow, half)
      assert.deepEqual(finish(a, b), finish(b, a))
    }),
  )
})

test('whatever is rerun, every need of the new workflow is met inside it, and it can be lived to its end', () => {
  const request = fc.record({
    fromFailed: fc.boolean(),
    sparseTree: fc.boolean(),
    listed: fc.array(fc.nat(11), { maxLength: 4 }),
  })
  fc.assert(
    fc.property(anyWorkflow, choices, choices, request, (start, dice, more, { fromFailed, sparseTree, listed }) => {
      const ended = live(start, dice).workflow
      const jobs = [...new Set(listed.map((n) => ended.jobs[n % ended.jobs.length]!.id))]
      const legal =
        jobs.length > 0
          ? { jobs, sparseTree }
          : fromFailed && ended.status !== 'success' && ended.status !== 'not_run'
            ? { fromFailed }
            : {}
      if (legal.fromFailed && !ended.jobs.some((job) => !['success', 'not_run', 'retried'].includes(job.status))) return
      let count = 0
      const newId = () => jobId(`new-${++count}`)
      const copies = rerun(ended, legal, { at: noon, reruns: 0, newId, denialOf: () => undefined })
      // Refuses a need that does not stand before the job that has it.
      const again = newWorkflow(
        'w2' as WorkflowId,
        'main',
        copies.map(({ job }) => job),
        noon,
      )
      assert.equal(new Set(again.jobs.map((job) => job.id)).size, again.jobs.length)
      assert.ok(copies.every(({ job, from }) => ended.jobs.find(({ id }) => id === from)?.name === job.name))
      assert.ok(again.jobs.every((job) => job.status === (job.reusedFrom === undefined ? 'blocked' : 'success')))
      assert.ok(jobs.length > 0 || legal.fromFailed || again.jobs.every((job) => job.status === 'blocked'))
      const { workflow: lived, events } = live(again, more)
      assert.ok(isTerminal(lived.status))
      assert.equal(events.filter((event) => event.type === 'workflow-completed').length, 1)
    }),
  )
})
