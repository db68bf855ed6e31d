/** A page that is worth looking at, and what is there when it is ready. */
export interface Scene {
  readonly name: string
  readonly path: string
  readonly ready: string
  /** The text of something to click before a picture is taken. */
  readonly open?: string
}
