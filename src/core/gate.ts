import type { PlannedJob, PlannedWorkflow } from './plan.ts'

const wished = 'approve-fork'

/**
 * A workflow of which nothing runs before somebody approves: its first job is an approval that all others need.
 * All, not only those that need nothing else: a job may run because another one was canceled.
 */
export function gated(workflow: PlannedWorkflow): PlannedWorkflow {
  const taken = new Set(workflow.jobs.map(({ name }) => name))
  let name = wished
  for (let i = 2; taken.has(name); i++) name = `${wished}-${i}`
  const gate: PlannedJob = { name, kind: 'approval', needs: [], contexts: [] }
  const behind = workflow.jobs.map((job) => ({
    ...job,
    needs: [{ job: name, on: ['success'] as const }, ...job.needs],
  }))
  return { ...workflow, jobs: [gate, ...behind] }
}
