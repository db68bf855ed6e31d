/** The two clocks of a machine. */
export interface Clocks {
  /** Milliseconds that only go on. */
  readonly now: () => number
  /** The time of day in milliseconds, by which files are dated; somebody may set it. */
  readonly day: () => number
}

const ofThisMachine: Clocks = { now: () => performance.now(), day: () => Date.now() }

/**
 * Says how much longer a step may be silent, in milliseconds, each time it is told when the last word was written; nothing or less: it has been
 * silent for too long. A first word from before `since`, both by the time of day, was of an earlier run of the step.
 */
export function watchWords(limitMs: number, since: number, firstWord: number, clocks: Clocks = ofThisMachine) {
  const { now, day } = clocks
  let word = firstWord
  let looked = now() - Math.max(0, day() - Math.max(since, firstWord))
  let quietSince = looked
  return (lastWord: number): number => {
    const at = now()
    // When it last wrote is a time of day, which may jump: it was not before we last looked, nor later than now.
    if (lastWord !== word) quietSince = Math.min(at, Math.max(looked, at - (day() - lastWord)))
    word = lastWord
    looked = at
    return quietSince + limitMs - at
  }
}
