import type { Provider } from '#core/names.ts'
import { receiverById } from '#server/store/receivers.ts'
import type { World } from './world.ts'

const believedMs = 2_000

/** A receiver as the edge needs it: open. */
export interface OpenReceiver {
  readonly id: string
  readonly provider: Provider
  readonly secret: string
}

/** Finds receivers by their id, as every hook needs: what was found is believed for a moment. */
export function receivers(world: World) {
  const known = new Map<string, { readonly receiver: OpenReceiver | undefined; readonly until: number }>()
  return {
    async find(id: string): Promise<OpenReceiver | undefined> {
      const now = performance.now()
      const seen = known.get(id)
      if (seen && seen.until > now) return seen.receiver
      const row = await receiverById(world.db, { id })
      const receiver = row && { id, provider: row.provider as Provider, secret: world.seal.open(row.secret) }
      if (known.size > 10_000) known.clear()
      known.set(id, { receiver, until: now + believedMs })
      return receiver
    },
    /** Forgets what it believed, when a receiver was deleted here. */
    forget(): void {
      known.clear()
    },
  }
}
