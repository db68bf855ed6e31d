/** How long one thing after another kept a thread. */
export interface Turns {
  /** The longest in processor time: other programs on the machine do not lengthen it. */
  readonly busyMs: number
  /** The longest by the clock, waiting for the disk and for a processor included. */
  readonly wallMs: number
}

/** Looks at every turn of the event loop of this thread while something is done. */
export async function turnsOf(work: () => Promise<void>): Promise<Turns> {
  let isOver = false
  let [busyMs, wallMs] = [0, 0]
  let [used, at] = [cpuMs(), performance.now()]
  const look = () => {
    const [nowUsed, now] = [cpuMs(), performance.now()]
    busyMs = Math.max(busyMs, nowUsed - used)
    wallMs = Math.max(wallMs, now - at)
    used = nowUsed
    at = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  try {
    await work()
  } finally {
    isOver = true
  }
  return { busyMs, wallMs }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
