import type { WorkflowEventWord } from './status-words.ts'

/** What somebody wants to be told of: what concerns them and needs them, everything, or nothing. */
export type Wish = 'smart' | 'all' | 'none'

/** How a workflow ended, and what that means to whoever waits for it. */
export interface Ending {
  readonly status: WorkflowEventWord
  /** How the workflow of that name before it on the branch ended; nothing where there was none. */
  readonly before: WorkflowEventWord | undefined
  /** Whether the one who is to be told made the pipeline, or the one before. */
  readonly isOwn: boolean
  readonly wasOwn: boolean
}

const isBad = (status: WorkflowEventWord | undefined): boolean => status === 'failed' || status === 'error'

/** Whether the workflow is well again after the one before was not. */
export const isFixed = ({ status, before }: Pick<Ending, 'status' | 'before'>): boolean =>
  status === 'success' && isBad(before)

/** Whether an ending is news: something broke, or is well again. */
export const isNews = (ending: Pick<Ending, 'status' | 'before'>): boolean => isBad(ending.status) || isFixed(ending)

/** Whether somebody is told. Smart: of one's own pipelines what broke and what is well again, and what somebody else mended. */
export function wants(wish: Wish, ending: Ending): boolean {
  switch (wish) {
    case 'all':
      return true
    case 'none':
      return false
    case 'smart':
      return (ending.isOwn && isNews(ending)) || (ending.wasOwn && isFixed(ending))
    default:
      return wish satisfies never
  }
}
