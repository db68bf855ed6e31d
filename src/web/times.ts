const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** How long ago, as one says it; a clock that differs a little from the server's does not make a future of it. */
export function ago(instant: number, now: number): string {
  const passed = now - instant
  if (passed < -minute) return `in ${rough(-passed)}`
  if (passed < 10 * second) return 'just now'
  return `${rough(passed)} ago`
}

/** In how long, as one says it, of something that will happen. */
export function ahead(instant: number, now: number): string {
  return instant - now < second ? 'at any moment' : `in ${rough(instant - now)}`
}

function rough(ms: number): string {
  if (ms < minute) return `${Math.floor(ms / second)} s`
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  if (ms < day) return `${Math.floor(ms / hour)} h`
  const days = Math.floor(ms / day)
  if (days < 60) return days === 1 ? '1 day' : `${days} days`
  return days < 730 ? `${Math.floor(days / 30)} months` : `${Math.floor(days / 365)} years`
}

/** A length of time in at most two units: `80 ms`, `0.4 s`, `12 s`, `3 min 05 s`, `2 h 10 min`. */
export function lengthOf(ms: number): string {
  const whole = Math.max(0, ms)
  // Of what is only known to the second: it took less than one.
  if (whole < 1) return '0 s'
  if (whole < 100) return `${Math.floor(whole)} ms`
  if (whole < second) return `${(Math.floor(whole / 100) / 10).toFixed(1)} s`
  if (whole < minute) return `${Math.floor(whole / second)} s`
  if (whole < hour) return `${Math.floor(whole / minute)} min ${two((whole % minute) / second)} s`
  return `${Math.floor(whole / hour)} h ${two((whole % hour) / minute)} min`
}

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
