import type { Delivery } from '#contract/rh/deliveries.ts'
import { Tone } from '#web/parts/tone.tsx'
import { useNow } from '#web/read/use-now.ts'
import { ahead } from '#web/times.ts'

/** What a receiver said, or why nothing was heard of it. */
export const answerText = ({ status_code, error }: Pick<Delivery, 'status_code' | 'error'>): string =>
  error ?? (status_code === null ? 'Not tried yet' : `Answered ${status_code}`)

/** How a delivery stands: of one that failed, when it comes again. */
export function DeliveryState({
  state,
  attempts,
  next_attempt_at: next,
}: Pick<Delivery, 'state' | 'attempts' | 'next_attempt_at'>) {
  const now = useNow(state === 'pending' ? 1_000 : undefined)
  if (state === 'delivered') return <Tone tone="good">Delivered</Tone>
  if (state === 'dead') return <Tone tone="bad">Given up</Tone>
  if (attempts === 0) return <Tone tone="wait">Waits to be sent</Tone>
  return <Tone tone="bad">Failed, comes again {next === null ? 'soon' : ahead(Date.parse(next), now)}</Tone>
}
