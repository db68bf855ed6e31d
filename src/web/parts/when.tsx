import { useNow } from '#web/read/use-now.ts'
import { ago, lengthOf } from '#web/times.ts'

/** When something happened: as one says it, and exactly on hover. */
export function When({ at }: { readonly at: string }) {
  const now = useNow(20_000)
  const instant = Date.parse(at)
  return (
    <time dateTime={at} title={new Date(instant).toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' })}>
      {ago(instant, now)}
    </time>
  )
}

interface Lasted {
  readonly from: string | null
  readonly to: string | null
  /** Whether it goes on: only then does the clock tick. */
  readonly running: boolean
}

/** How long something took, or has taken until now. */
export function Length({ from, to, running }: Lasted) {
  const now = useNow(running && to === null ? 1000 : undefined)
  if (from === null || (to === null && !running)) return null
  return <span className="length">{lengthOf((to === null ? now : Date.parse(to)) - Date.parse(from))}</span>
}
