import { inColour } from './board.ts'
import type { Followed } from './follow.ts'
import { duration } from './terminal-text.ts'
import { endingOf } from './view.ts'

/** What is said when everything has ended: how, and where its results are. */
export function tellEnd({ view, kept }: Followed, colours: boolean) {
  const ending = endingOf(view)
  const lines: string[] = []
  for (const { message } of view.pipeline.errors) lines.push(inColour(colours, 'bad', message))
  for (const { workflow } of view.workflows) {
    const took = Date.parse(workflow.stopped_at ?? workflow.created_at) - Date.parse(workflow.created_at)
    const look = workflow.status === 'success' ? 'good' : 'bad'
    lines.push(`Workflow ${workflow.name}: ${inColour(colours, look, workflow.status)} in ${duration(took)}`)
  }
  const stored = kept.filter(({ artifacts, tests }) => artifacts > 0 || tests.length > 0)
  for (const { folder } of stored) lines.push(`Results: ${folder}`)
  return { lines, ending }
}
