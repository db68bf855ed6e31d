/** The tables of insights. Times are milliseconds since 1970: they are counted with, thousands at once. */
export interface InsightTables {
  /** Workflows that ended, written by what ended them. */
  run_facts: {
    project_id: string
    name: string
    started: number
    id: string
    /** Empty: it ran for a tag. */
    branch: string
    status: string
    duration: number
    /** In thousandths. */
    credits: number
  }
  /** Builds that ended, the same way. */
  job_facts: {
    project_id: string
    workflow: string
    started: number
    id: string
    name: string
    branch: string
    status: string
    /** Null: it never began. */
    duration: number | null
    credits: number
    /** How long it waited for an agent. */
    queued: number
    resource_class: string
    nodes: number
  }
  /** What is left of runs that were not kept. */
  run_days: {
    project_id: string
    name: string
    branch: string
    /** When the day began, in UTC. */
    day: number
    runs: number
    successful: number
    failed: number
    canceled: number
    /** Of all of them together. */
    duration: number
    credits: number
  }
  /** How often jobs found the cache they asked for, by day. */
  cache_uses: { project_id: string; day: number; hits: number; misses: number }
  /** Tests whose failures a team knows about. */
  quarantined_tests: {
    project_id: string
    test_key: string
    classname: string
    name: string
    file: string
    reason: string
    created_by: string | null
    created_at: string
  }
  /** Workflows that ended and are to be told to a collector of traces. */
  trace_queue: { workflow_id: string; attempts: number; next_at: string }
}
