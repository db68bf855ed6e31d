import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** What waits for its turn, and who does it. */
export interface QueueTables {
  /** Of a `project` or an `organization`: how many jobs may run at once, and how long each; null: as many and as long as anybody. */
  limits: { subject_id: string; subject: string; most_running: number | null; most_minutes: number | null }
  queue: {
    job_id: string
    node: number
    workflow_id: string
    project_id: string
    resource_class: string
    /** Executor and resource class, in one word: whoever has the one and the other may take it. */
    demand: string
    /** The round in which its project has its turn. */
    turn: number
    sequence: string
  }
  leases: {
    job_id: string
    node: number
    workflow_id: string
    project_id: string
    agent_id: string
    fence: number
    token_hash: string
    claimed_at: string
    accepted: Flag
    started: Flag
    cancel: Flag
    expires_at: string
    /** The turn it had in the queue. */
    turn: Generated<number>
  }
  agents: {
    id: string
    name: string
    instance: string | null
    version: string
    slots: number
    resource_classes: string
    created_at: string
    seen_at: string | null
    executors: Generated<string>
    labels: Generated<string>
    /** `working`, `paused` or `draining`. */
    mode: Generated<string>
    /** Works for the projects of this organization only. */
    organization_id: string | null
    /** Serves this class and no other, whatever it says of itself. */
    resource_class_id: Generated<string | null>
    /** Why it takes no jobs for now, in its own words. */
    obstacle: Generated<string | null>
  }
  /** A lock that waits for a serial group, or (`held_at`) has it. */
  serial_places: {
    job_id: string
    workflow_id: string
    project_id: string
    organization_id: string
    serial_key: string
    pipeline_number: number
    /** Orders the line. */
    arrived: string
    since: string
    held_at: string | null
  }
  /** Who may come into a job that runs with SSH. */
  ssh_users: { job_id: string; user_id: string; created_at: string }
}
