/** The tables of test results. */
export interface TestTables {
  /** One for each step that brought test results; how many batches of them there are. */
  test_reports: {
    job_id: string
    node: number
    step: number
    project_id: string
    workflow_id: string
    job_name: string
    branch: string | null
    batches: number
    tests: number
    failures: number
    /** Of the files they were read from. */
    bytes: number
    problems: string
    recorded_at: string
  }
  /** Texts that are not known are empty. */
  test_results: {
    job_id: string
    node: number
    step: number
    position: number
    project_id: string
    workflow_id: string
    branch: string | null
    revision: string
    /** The same for the same test of a project: a hash of project, class, name and file. */
    test_key: string
    classname: string
    name: string
    file: string
    source: string
    result: string
    message: string
    /** In seconds. */
    run_time: number
    recorded_at: string
  }
  /** What tests that failed printed, the first hundreds of a step. */
  test_outputs: {
    job_id: string
    node: number
    step: number
    position: number
    output: string
  }
}
