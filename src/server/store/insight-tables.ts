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
  /** The runs of a workflow in a day that is over, in columns, and what they come to. They are in `run_facts` as well. */
  packed_runs: {
    project_id: string
    name: string
    day: number
    runs: number
    successful: number
    failed: number
    canceled: number
    duration: number
    credits: number
    first: number
    last: number
    /** Texts that the columns name by their places, as JSON. */
    texts: string
    /** Null: something was added since, and the facts themselves are to be read. */
    columns: Uint8Array | null
  }
  /** The builds of the runs of a workflow, the same way. */
  packed_jobs: { project_id: string; name: string; day: number; texts: string; columns: Uint8Array | null }
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
