import { performance } from 'node:perf_hooks'

/** How often it is looked whether anything goes on, and below which share of the time nothing does. */
const [everyMs, idleShare] = [2_000, 0.05]
/** So much more than after the last time is worth it; and so much in use is too much to look through at once (100 ms). */
const [worthBytes, mostBytes] = [4_000_000, 150_000_000]

/**
 * Gives memory back to the machine when nothing goes on. Node keeps the room that young objects once had for the next rush, 10 to 30 MB,
 * for ever; and only because it would, the room was kept small, where everything that lives a little longer is copied over and over.
 * Needs `--expose-gc`; without it nothing is given back.
 */
export function giveBackWhenIdle(): Disposable {
  let seen = performance.eventLoopUtilization()
  let left = 0
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, seen)
    seen = now
    if (utilization > idleShare || process.memoryUsage.rss() < left + worthBytes) return
    if (process.memoryUsage().heapUsed > mostBytes) return
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    seen = performance.eventLoopUtilization()
    left = process.memoryUsage.rss()
  }, everyMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** How often an agent looks how much memory it uses, and how much more than after the last time is collected. */
const [lookMs, worthUsed] = [250, 1_500_000]

/**
 * Keeps an agent small while it works. What jobs leave behind lies mostly outside of the heap, 50 KB each, and V8 comes for it
 * when the heap has grown, which it hardly does: after 200 small jobs it was 5 MB, and in every third run 10. And where many small
 * files are packed or unpacked, it lets the heap grow by as much before it comes.
 */
export function collectOften(): Disposable {
  let left = Infinity
  const timer = setInterval(() => {
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    left = Math.min(left, arrayBuffers + heapUsed)
    if (arrayBuffers + heapUsed < left + worthUsed) return
    globalThis.gc?.({ type: 'major', execution: 'sync' })
    const after = process.memoryUsage()
    left = after.arrayBuffers + after.heapUsed
  }, lookMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
