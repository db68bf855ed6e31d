/** An instant in whole seconds, as workflows and their jobs show it. */
export const inSeconds = (instant: string): string => `${instant.slice(0, 19)}Z`

/** The same for what may not have happened. */
export const inSecondsOrNull = (instant: string | null): string | null => (instant === null ? null : inSeconds(instant))
