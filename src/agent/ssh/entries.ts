import type { Presence, Visit } from './visit.ts'

/** How people reach jobs of an agent. */
export interface DoorOptions {
  /** `127.0.0.1:0`: any free port, and the same again after a restart where it is still free. */
  readonly listen: string
  /** What people are told to connect to; where it listens unless given. */
  readonly host?: string | undefined
  /** Whether visitors may reach the network through the agent. */
  readonly forwarding: boolean
  /** Of the agent: host key and port are kept in it. */
  readonly folder: string
}

/** A job that is open. */
export interface Entry {
  readonly visit: Visit
  readonly presence: Presence
}

/** Where connections are taken. */
export interface Listening {
  readonly port: number
  close(): void
}
