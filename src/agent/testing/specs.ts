import { randomUUID } from 'node:crypto'
import type { JobSpec, StepSpec } from '#contract/agent.ts'

type RunStep = Extract<StepSpec, { type: 'run' | 'deploy' }>

/** A run step with everything as usual. */
export const run = (command: string, more: Partial<RunStep> = {}): RunStep => ({
  type: 'run',
  name: command,
  when: 'on_success',
  command,
  environment: {},
  background: false,
  no_output_timeout_ms: 600_000,
  ...more,
})

/** A job of these steps, with everything else as usual. */
export const job = (steps: readonly StepSpec[], more: Partial<JobSpec> = {}): JobSpec => ({
  id: randomUUID(),
  fence: 1,
  token: `job-token-${randomUUID()}`,
  name: 'build',
  number: 1,
  node_index: 0,
  node_total: 1,
  executor: { type: 'docker', images: [] },
  resource_class: 'medium',
  environment: {},
  secrets: [],
  working_directory: '~/project',
  steps: [...steps],
  checkout: { url: '', revision: '', branch: null, tag: null, with_job_token: false, private_key: null },
  ssh_keys: [],
  time_limit_ms: 3_600_000,
  storage: {
    most_stored_bytes: 1e9,
    most_unpacked_bytes: 2e9,
    most_artifact_bytes: 1e9,
    saves_caches: true,
  },
  log: { range_bytes: 65_536, interval_ms: 50, windows: false },
  ...more,
})
