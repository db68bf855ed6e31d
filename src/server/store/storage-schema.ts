import type { Generated } from 'kysely'
/** The tables of what is kept of the files of jobs. */
export interface StorageSchema {
  /** Archives of files of jobs, by key; each names a blob, as the rows of the next two do. */
  caches: {
    id: string
    project_id: string
    key: string
    job_id: string
    size: number
    created_at: string
    expires_at: string
  }
  /** What steps put into the workspace of their workflow. */
  layers: {
    id: string
    job_id: string
    node: number
    step: number
    size: number
    created_at: string
    expires_at: string
  }
  artifacts: {
    id: string
    job_id: string
    node: number
    path: string
    size: number
    created_at: string
    expires_at: string
    /** The blob that it shares with others; its own, named by its id, unless given. */
    blob: Generated<string | null>
    /** Where in the blob it begins. */
    start: Generated<number>
  }
}
