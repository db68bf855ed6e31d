import type { Trust } from '#core/trust.ts'
import { assertNever } from '#kit/brand.ts'
import type { PipelineRow } from '#server/store/pipelines.ts'

/** What code may have that not everybody may. */
export interface Rights {
  /** Variables of the project and of contexts. */
  readonly secrets: boolean
  /** The key of the repository and those for other hosts. */
  readonly keys: boolean
  /** Whether it may leave caches: a later job would take them for its own. */
  readonly savesCaches: boolean
  /** Whether its configuration decides about more than itself: schedules of branches, addresses that are told of builds. */
  readonly decides: boolean
}

const everything: Rights = { secrets: true, keys: true, savesCaches: true, decides: true }
const nothing: Rights = { secrets: false, keys: false, savesCaches: false, decides: false }

/**
 * What the code of a pipeline may have, as it was decided when the pipeline was made. The one place that says so: whoever hands out
 * secrets, contexts, keys or caches asks here.
 */
export function rightsOf({ trust }: Pick<PipelineRow, 'trust'>): Rights {
  const decided = trust as Trust
  switch (decided) {
    case 'trusted':
      return everything
    case 'fork':
      return nothing
    default:
      return assertNever(decided)
  }
}
