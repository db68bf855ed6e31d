import { useQuery } from '@tanstack/react-query'
import type { Pipeline } from '#contract/v2/pipeline.ts'
import { workflowsQuery } from '#web/read/queries.ts'
import { type StatusWord, worstOf } from '#web/status-look.ts'

/** The one status that a pipeline has for its readers: that of its workflows, or of itself until it has some. */
export function useStatus(pipeline: Pipeline | undefined): StatusWord | undefined {
  const { data } = useQuery({
    ...workflowsQuery(pipeline?.id ?? ''),
    enabled: pipeline !== undefined && pipeline.state !== 'errored',
  })
  return worstOf((data?.items ?? []).map((workflow) => workflow.status)) ?? pipeline?.state
}
