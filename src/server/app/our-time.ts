import { between, type Instant, later } from '#kit/brand.ts'

/** What is known of the clock of an agent that says when something happened. */
export interface AgentClock {
  /** When it says to have sent its words, if it does. */
  readonly sentAt: string | undefined
  readonly now: Instant
  /** When it got the job: before that it had nothing to tell of it. */
  readonly from: string
}

/** Clocks that differ by less are as good as one: the way between them takes some time too. */
const usualMs = 2_000

/** Turns times of an agent into ours: shifted by what its clock is wrong, and never outside the time in which it had the job. */
export function ourTime({ sentAt, now, from }: AgentClock): (at: string) => string {
  const wrong = sentAt === undefined ? 0 : between(sentAt as Instant, now)
  const shift = Math.abs(wrong) < usualMs ? 0 : wrong
  return (at) => {
    const shifted = shift === 0 ? at : later(at as Instant, shift)
    return shifted < from ? from : shifted > now ? now : shifted
  }
}
