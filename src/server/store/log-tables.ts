/** The tables of logs, while they are written and afterwards. */
export interface LogTables {
  /** Bytes here, or (`at`) from that byte on in the file that the agent shows, or in a blob of their own. */
  log_ranges: {
    job_id: string
    node: number
    step: number
    start: number
    size: number
    bytes: Uint8Array | null
    at: number | null
    /** When they were seen, as `server/app/log-times.ts` writes it; nothing where it is not known. */
    times: string | null
  }
  /** Bytes null: in the blob of the same name. */
  packed_logs: { job_id: string; node: number; step: number; bytes: Uint8Array | null; times: string | null }
}
