import { inColour } from './board.ts'
import type { Followed } from './follow.ts'
import { duration } from './terminal-text.ts'
import { endingOf } from '#cli/pipeline-view.ts'

/** What is said when everything has ended: how, and where its results are. */
export function tellEnd({ view, kept, tookMs }: Followed, colours: boolean) {
  const ending = endingOf(view)
  const lines: string[] = []
  for (const { message } of view.pipeline.errors) lines.push(inColour(colours, 'bad', message))
  for (const [i, { workflow }] of view.workflows.entries()) {
    const look = workflow.status === 'success' ? 'good' : 'bad'
    const took = i === view.workflows.length - 1 ? ` in ${duration(tookMs)}` : ''
    lines.push(`Workflow ${workflow.name}: ${inColour(colours, look, workflow.status)}${took}`)
  }
  const stored = kept.filter(({ artifacts, tests }) => artifacts > 0 || tests.length > 0)
  for (const { folder } of stored) lines.push(`Results: ${folder}`)
  return { lines, ending }
}
