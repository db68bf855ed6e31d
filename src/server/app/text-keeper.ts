import type { Tx } from '#server/store/schema.ts'
import { keepText } from '#server/store/texts.ts'

/** What was kept for good, by the thing it is the text of: a compiled configuration and its jobs are the same objects in every pipeline they serve. */
const known = new WeakMap<object, string>()

/** Keeps texts in a transaction that may fail or be tried again: only when it has not (`settle`) is anything taken for kept. */
export function textKeeper() {
  let fresh: (readonly [owner: object, hash: string])[] = []
  return {
    /** Called when the transaction begins, also for the second time. */
    begin(): void {
      fresh = []
    },
    async keep(tx: Tx, owner: object, text: () => string): Promise<string> {
      const before = known.get(owner)
      if (before !== undefined) return before
      const hash = await keepText(tx, text())
      fresh.push([owner, hash])
      return hash
    },
    settle(): void {
      for (const [owner, hash] of fresh) known.set(owner, hash)
    },
  }
}

export type TextKeeper = ReturnType<typeof textKeeper>
