/** The flags of `roundhouse run`, as they come. */
export interface RunOptions {
  readonly job?: readonly string[]
  readonly workflow?: readonly string[]
  readonly withRequires?: boolean
  readonly config?: string
  readonly param?: readonly string[]
  readonly branch?: string
  readonly tag?: string
  readonly envFile?: readonly string[]
  readonly env?: readonly string[]
  readonly artifacts?: string
  readonly slots?: string
  readonly verbose?: boolean
  readonly quiet?: boolean
  readonly logs?: string
  /** False for `--no-cache`. */
  readonly cache?: boolean
  readonly approve?: readonly string[]
  readonly list?: boolean
  readonly orbRegistry?: string
}
