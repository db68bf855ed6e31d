/**
 * Milliseconds on a clock that nobody sets: the same in every process of this machine, until it is restarted.
 * How long something lasts is measured with it; the time of day may jump by hours.
 */
export const uptimeMs = (): number => Number(process.hrtime.bigint() / 1_000_000n)
