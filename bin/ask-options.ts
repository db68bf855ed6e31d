/** What these commands can do. */
export type Deed = 'projects' | 'status' | 'trigger' | 'rerun' | 'cancel' | 'approve' | 'logs' | 'artifacts'

/** The flags of the commands that ask, as they come. */
export interface AskOptions {
  readonly server?: string
  readonly tokenFile?: string
  readonly token?: string
  readonly json?: boolean
  readonly project?: string
  readonly branch?: string
  readonly tag?: string
  readonly limit?: string
  readonly param?: readonly string[]
  readonly wait?: boolean
  readonly fromFailed?: boolean
  /** A list of `rerun`, one of `cancel`. */
  readonly job?: string | readonly string[]
  readonly ssh?: boolean
  readonly follow?: boolean
  readonly to?: string
}
