/** A page of a list; no `next` on the last one. */
export interface PageOf<T> {
  readonly items: readonly T[]
  readonly next: string | null
}
