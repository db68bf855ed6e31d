import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CDPSession, chromium, type Page } from 'playwright-core'
import type { Service } from './service.ts'

const patience = 60_000

/** A browser that looks at a service as its first user, and what can be measured in it. */
export interface Window extends AsyncDisposable {
  readonly page: Page
  readonly cdp: CDPSession
  /** Bytes that came over the wire since the last call. */
  readonly received: () => number
  /** Scripts that came over the wire since the window was opened: bytes. */
  readonly scripts: () => number
  /** Bytes that the page holds, after everything that can be let go was. */
  readonly heap: () => Promise<number>
}

/** Opens a window of 1280 by 860 pixels. The page is not told that nobody is there. */
export async function openWindow(service: Service, path: string): Promise<Window> {
  const profile = mkdtempSync(join(tmpdir(), 'roundhouse-bench-browser-'))
  const context = await chromium.launchPersistentContext(join(profile, 'profile'), {
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
    viewport: { width: 1280, height: 860 },
    extraHTTPHeaders: { authorization: `Bearer ${service.token}` },
    timeout: patience,
  })
  context.setDefaultTimeout(patience)
  const page = context.pages()[0] ?? (await context.newPage())
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Performance.enable')
  let received = 0
  let scripts = 0
  const kinds = new Map<string, string>()
  cdp.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
  cdp.on('Network.dataReceived', ({ encodedDataLength }) => (received += encodedDataLength))
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (kinds.get(requestId) === 'Script') scripts += encodedDataLength
  })
  return {
    page,
    cdp,
    received() {
      const sum = received
      received = 0
      return sum
    },
    scripts: () => scripts,
    async heap() {
      await cdp.send('HeapProfiler.collectGarbage')
      const { metrics } = await cdp.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
    },
    async [Symbol.asyncDispose]() {
      await context.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Milliseconds from the start of a navigation until something of the page is there and has been drawn. */
export async function timeTo(page: Page, url: string, selector: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator(selector).first().waitFor()
  return page.evaluate(
    // In the page, in its own words: what runs there knows nothing of this file.
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame((now) => done(now))))',
  )
}

/** How evenly a page is drawn while something goes on: frames a second, and the share of frames that came two turns late. */
export interface Frames {
  readonly perSecond: number
  readonly late: number
}

/** Counts frames for a while, in which a script may do something before each of them. */
export async function framesOf(page: Page, ms: number, before = ''): Promise<Frames> {
  const gaps = await page.evaluate<number[]>(`new Promise((done) => {
    const gaps = []
    let last
    const end = performance.now() + ${ms}
    const frame = (now) => {
      ${before}
      if (last !== undefined) gaps.push(now - last)
      last = now
      if (now < end) requestAnimationFrame(frame)
      else done(gaps)
    }
    requestAnimationFrame(frame)
  })`)
  const whole = gaps.reduce((sum, gap) => sum + gap, 0)
  return { perSecond: (gaps.length / whole) * 1000, late: gaps.filter((gap) => gap > 34).length / gaps.length }
}

/** What this machine can draw now: frames a second of a bare page of which as many rows of text change as in a log. */
export async function bareFrames(page: Page, ms: number): Promise<number> {
  await page.goto('about:blank')
  await page.evaluate(
    `document.body.innerHTML = '<pre style="background: #111; color: #ddd; height: 600px; overflow: hidden"></pre>'`,
  )
  const change = `document.querySelector('pre').textContent =
    Array.from({ length: 45 }, (_, row) => Math.floor(now) + ' ' + row + ' ' + 'some words of a line '.repeat(4)).join('\\n')`
  return (await framesOf(page, ms, change)).perSecond
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of processor time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/**
 * Milliseconds that the main thread of the page worked while something was done. Processor time, so that a busy machine
 * hardly shows in it.
 */
export async function workOf(cdp: CDPSession, action: () => Promise<unknown>): Promise<number> {
  const events: TraceEvent[] = []
  const collect = ({ value }: { readonly value: unknown }) => events.push(...(value as TraceEvent[]))
  cdp.on('Tracing.dataCollected', collect)
  await cdp.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel'] } })
  await action()
  const complete = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve))
  await cdp.send('Tracing.end')
  await complete
  cdp.off('Tracing.dataCollected', collect)
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mains = new Map(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map((event) => [threadOf(event), 0]),
  )
  for (const event of events) {
    const worked = mains.get(threadOf(event))
    if (worked === undefined || event.ph !== 'X' || !event.name.includes('RunTask')) continue
    mains.set(threadOf(event), worked + (event.tdur ?? 0) / 1000)
  }
  return Math.max(0, ...mains.values())
}
