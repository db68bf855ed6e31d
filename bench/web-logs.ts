import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { bareFrames, type Frames, framesOf, type Window, workOf } from './browser.ts'
import type { Figure } from './figures.ts'
import { endOf, jobsOf, triggerAt } from './runs.ts'
import { call, type Service, until } from './service.ts'

/** A configuration with one job of one step. */
export const config = (command: string) =>
  `version: 2.1\njobs:\n  build:\n    machine: true\n    steps:\n      - run:\n          name: step\n          command: |\n            ${command}\nworkflows:\n  w:\n    jobs: [build]\n`

const line = `${'roundhouse prints a line of two hundred bytes. '.repeat(5).slice(0, 186)}`

/** A log of 1 GB in 5,000,000 lines; 5 MB a second for a while; and a million lines, as fast as they can be sent. */
export const logJobs: Readonly<Record<string, string>> = {
  huge: config(`awk 'BEGIN { for (i = 1; i <= 5000000; i++) printf "%08d    ${line}\\n", i; print "the very end" }'`),
  steady: config(
    `for i in $(seq 300); do awk -v n=$i 'BEGIN { for (i = 1; i <= 2500; i++) printf "%08d    %s\\n", n * 2500 + i, "${line.slice(0, 86)}" }'; sleep 0.05; done`,
  ),
  million: config(
    `for i in $(seq 100); do awk -v n=$i 'BEGIN { for (i = 1; i <= 10000; i++) printf "%08d    %s\\n", n * 10000 + i, "${line.slice(0, 86)}" }'; sleep 0.02; done`,
  ),
}

interface LogPage {
  readonly url: string
  readonly job: string
}

export async function openJob(service: Service, name: string, pipeline: string): Promise<LogPage> {
  let found = ''
  let workflow = ''
  await until(
    async () => {
      const { items } = await call<{ readonly items: readonly { readonly id: string }[] }>(
        service,
        'GET',
        `/api/v2/pipeline/${pipeline}/workflow`,
      )
      workflow = items[0]?.id ?? ''
      if (workflow === '') return false
      const jobs = await call<{ readonly items: readonly { readonly id: string; readonly status: string }[] }>(
        service,
        'GET',
        `/api/v2/workflow/${workflow}/job`,
      )
      found = jobs.items[0]?.id ?? ''
      return found !== '' && jobs.items[0]?.status !== 'queued'
    },
    60_000,
    50,
  )
  return { url: `${service.url}/pipelines/gh/bench/${name}/1/workflows/${workflow}/jobs/${found}`, job: found }
}

/** The largest log: opened at its end, read in its middle, searched. */
export async function hugeFigures(service: Service, { page, received }: Window): Promise<readonly Figure[]> {
  const { id } = await triggerAt(service, 'huge')
  const workflow = await endOf(service, id, 500)
  const [job] = await jobsOf(service, 'huge', workflow)
  if (!job) throw new Error('There is no job')
  const url = `${service.url}/pipelines/gh/bench/huge/1/workflows/${workflow}/jobs/${job.id}`
  const isPacked = () => existsSync(join(service.folder, 'blobs/logs', job.id, '0.lines'))
  // At once, while nobody has counted its lines.
  const young = isPacked() ? undefined : await openedAtEnd(service, page, url)
  await until(async () => isPacked(), 180_000, 100)
  const opened = await openedAtEnd(service, page, url, received)
  const bytes = received()
  const middle = async () => {
    const began = performance.now()
    await page.evaluate('{ const box = document.querySelector(".log-scroll"); box.scrollTop = box.scrollHeight / 2 }')
    await page
      .getByText(/^0250\d{4} /)
      .first()
      .waitFor()
    return performance.now() - began
  }
  const jumped = await middle()
  const frames = await framesOf(
    page,
    3_000,
    'const box = document.querySelector(".log-scroll"); box.dispatchEvent(new WheelEvent("wheel", { deltaY: 120, cancelable: true, bubbles: true }))',
  )
  return [
    {
      what: 'end of a log of 1 GB, 5,000,000 lines',
      ours: `${opened.toFixed(0)} ms`,
      floor: '1000 ms',
      ratio: opened / 1000,
      goal: 1.5,
    },
    ...(young === undefined
      ? []
      : [
          {
            what: '  when nobody has counted its lines',
            ours: `${young.toFixed(0)} ms`,
            floor: '1000 ms',
            ratio: young / 1000,
            goal: 1.5,
          },
        ]),
    { what: '  transferred', ours: `${(bytes / 1000).toFixed(0)} kB`, floor: '1 kB', ratio: bytes / 1000, goal: 1000 },
    { what: '  its middle', ours: `${jumped.toFixed(0)} ms`, floor: '1000 ms', ratio: jumped / 1000, goal: 1 },
    {
      what: '  frames a second, scrolled',
      ours: frames.perSecond.toFixed(0),
      floor: '1',
      ratio: frames.perSecond,
      goal: 55,
      atLeast: true,
    },
    await searched(page, url),
  ]
}

/** Milliseconds until the end of the log is seen; the page itself is there already, what is measured is the log. */
async function openedAtEnd(service: Service, page: Page, url: string, begin = () => 0): Promise<number> {
  await page.goto(`${service.url}/`)
  await page.locator('.card').first().waitFor()
  begin()
  const began = performance.now()
  await page.goto(url)
  await page.getByRole('button', { name: /^step/ }).click()
  await page.getByText('the very end', { exact: true }).waitFor()
  return performance.now() - began
}

/** To the end of the log, for something that is near it: as the page does it, question after question. */
async function searched(page: Page, url: string): Promise<Figure> {
  const began = performance.now()
  await page.goto(`${url}?find=THE+VERY+END`)
  await page.getByText('One line', { exact: true }).waitFor({ timeout: 120_000 })
  const took = performance.now() - began
  return {
    what: '  searched to its end',
    ours: `${took.toFixed(0)} ms`,
    floor: '1000 ms',
    ratio: took / 1000,
    goal: 10,
  }
}

/** A log that grows, followed: how evenly it is drawn, and what the page holds afterwards. */
export async function followFigures(service: Service, { page, cdp, heap }: Window): Promise<readonly Figure[]> {
  const steady = await openJob(service, 'steady', (await triggerAt(service, 'steady')).id)
  await page.goto(steady.url)
  await page.locator('.log-line').first().waitFor()
  const counted = () => page.locator('.log-bar [role=status]').textContent()
  const linesNow = async () => Number(((await counted()) ?? '').replaceAll(/\D/g, ''))
  const first = await linesNow()
  const began = performance.now()
  let frames: Frames = { perSecond: 0, late: 0 }
  const work = await workOf(cdp, async () => (frames = await framesOf(page, 8_000)))
  const megabytes = (((await linesNow()) - first) * 99) / 1e6
  const rate = megabytes / ((performance.now() - began) / 1000)
  await endOfLog(page)
  const million = await openJob(service, 'million', (await triggerAt(service, 'million')).id)
  await page.goto(million.url)
  await page.locator('.log-line').first().waitFor()
  await endOfLog(page)
  const followed = await linesNow()
  const held = (await heap()) / 2 ** 20
  // While the same is printed: a job, an agent and a server want the processor too.
  await openJob(service, 'steady', (await triggerAt(service, 'steady')).id)
  const bare = await bareFrames(page, 4_000)
  return [
    {
      what: `frames a second at ${rate.toFixed(1)} MB/s`,
      ours: frames.perSecond.toFixed(0),
      floor: `${bare.toFixed(0)} of a bare page`,
      ratio: frames.perSecond / bare,
      goal: 0.8,
      atLeast: true,
    },
    {
      what: '  work of the main thread for 1 MB',
      ours: `${(work / megabytes).toFixed(0)} ms`,
      floor: '200 ms at 5 MB/s',
      ratio: work / megabytes / 200,
      goal: 0.6,
    },
    {
      what: `held after ${followed.toLocaleString('en')} lines`,
      ours: `${held.toFixed(0)} MiB`,
      floor: '1 MiB',
      ratio: held,
      goal: 150,
    },
  ]
}

/** Waits until nothing more comes. */
async function endOfLog(page: Page): Promise<void> {
  await page.locator('.log-bar [role=status]', { hasText: /^\s*[\d,.]+ lines$/ }).waitFor({ timeout: 180_000 })
}
