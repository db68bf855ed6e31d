import { useEffect, useState } from 'react'

/** The time, told again every `every` milliseconds; without that, the time of the first showing. */
export function useNow(every: number | undefined): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (every === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
