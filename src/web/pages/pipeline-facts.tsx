import type { Pipeline } from '#contract/v2/pipeline.ts'
import { When } from '#web/parts/when.tsx'

/** What made a pipeline, in words. */
export const triggerWords: Readonly<Record<Pipeline['trigger']['type'], string>> = {
  webhook: 'push',
  api: 'API',
  explicit: 'by hand',
  scheduled_pipeline: 'schedule',
}

/** What a pipeline was made for, of what, by whom and when. */
export function PipelineFacts({ pipeline }: { readonly pipeline: Pipeline }) {
  const { vcs, trigger } = pipeline
  return (
    <p className="facts">
      {vcs?.branch !== undefined && (
        <span className="ref">
          <span className="unseen">branch </span>
          {vcs.branch}
        </span>
      )}
      {vcs?.tag !== undefined && <span className="ref">tag {vcs.tag}</span>}
      {vcs && (
        <code title={vcs.revision}>
          <span className="unseen">revision </span>
          {vcs.revision.slice(0, 7)}
        </code>
      )}
      <span>
        {triggerWords[trigger.type]}, {trigger.actor.login}
      </span>
      <When at={pipeline.created_at} />
    </p>
  )
}
