import { gatherWaiting } from '#core/insights/waiting.ts'
import { usualWindow, type WindowName, windowOf } from '#core/insights/window.ts'
import { jobWorkflowNames } from '#server/store/fact-names.ts'
import { breathe } from './breathe.ts'
import { readEndedJobs } from './read-runs.ts'
import type { Source } from './source.ts'

/** What jobs of a project waited for, and what they took. */
export async function waitingOf({ db, now }: Source, project: string, name: WindowName = usualWindow) {
  const window = windowOf(name, now)
  const waiting = gatherWaiting(window)
  for (const workflow of await jobWorkflowNames(db, project)) {
    waiting.add(workflow, await readEndedJobs(db, { project, workflow, window, branches: undefined }))
    await breathe()
  }
  return waiting.all()
}
