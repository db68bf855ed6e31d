/** What opens a registry, until it ends. */
export interface Login {
  readonly username: string
  readonly password: string
  /** In milliseconds since 1970. */
  readonly endsAt: number
}
