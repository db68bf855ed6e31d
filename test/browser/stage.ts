import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Endpoint, Input, Output } from '#contract/endpoint.ts'
import { client } from '#contract/client.ts'
import { listProjectPipelines } from '#contract/v2/pipeline.ts'
import { scratch } from '#test/scratch.ts'
import { eventually, patience } from './eventually.ts'
import { type Commit, repository } from './repository.ts'
import { startServer } from './server.ts'

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** A browser with a profile of its own that forgets everything. */
export function openBrowser(folder: string, path: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: path,
    args: quiet,
    // What turns while something runs would be drawn sixty times a second, without a graphics card.
    reducedMotion: 'reduce',
    // Told so, its processes would share memory by files on the disk, for machines that have little of it.
    ignoreDefaultArgs: process.env['ROUNDHOUSE_TEST_SCRATCH'] === undefined ? [] : ['--disable-dev-shm-usage'],
    timeout: patience,
  })
}

/** A real server with its agent, and a real browser that looks at it. */
export interface Stage extends AsyncDisposable {
  readonly folder: string
  readonly page: Page
  /** The one-time link of the first sign-in. */
  readonly link: string
  /** What went wrong in the page, or was refused by its policy, so far. */
  readonly complaints: readonly string[]
  /** Goes to a path of the server. */
  readonly go: (path: string) => Promise<void>
  /** Goes to a path as a link does: nothing is loaded anew. */
  readonly turnTo: (path: string) => Promise<void>
  readonly signIn: () => Promise<void>
  /** Kills the server, and starts it again in the same place. */
  readonly restart: () => Promise<void>
  /** Pushes one commit to a project of the organization `admin`, and waits for its pipeline; gives the slug of the project. */
  readonly push: (name: string, commit: Commit) => Promise<string>
  readonly callV2: <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Output<E>>
  readonly callRh: <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Output<E>>
}

/** Starts a server, with more settings than the usual ones, and a browser in a folder of their own. */
export async function openStage(browser: string, settings: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(scratch(), 'roundhouse-browser-'))
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { link, restart } = stack.use(await startServer(folder, settings))
  const context = stack.adopt(await openBrowser(folder, browser), (one) => one.close())
  context.setDefaultTimeout(patience)
  const page = context.pages()[0] ?? (await context.newPage())
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) complaints.push(message.text())
  })
  const token = (await readFile(join(folder, 'data/admin-token'), 'utf8')).trim()
  const { host, origin } = new URL(link)
  const callV2 = client(`${origin}/api/v2`, token)
  const go = async (path: string) => void (await page.goto(new URL(path, link).href))
  return {
    folder,
    page,
    link,
    complaints,
    go,
    async turnTo(path) {
      const turn = (to: string) =>
        page.evaluate(
          `history.pushState(null, '', ${JSON.stringify(to)}); dispatchEvent(new PopStateEvent('popstate'))`,
        )
      // By way of a page that has nothing in common with any other: what is found then is not of the one before.
      await turn('/nowhere/at/all')
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
      await turn(path)
    },
    restart,
    async signIn() {
      await page.goto(link)
      await page.getByRole('heading', { name: 'Projects' }).waitFor()
    },
    async push(name, commit) {
      const git = await repository(await mkdtemp(join(folder, 'repository-')), commit)
      const revision = (await git('rev-parse', 'HEAD')).stdout.trim()
      await git('push', '-q', `http://${token}@${host}/git/admin/${name}.git`, 'HEAD')
      // It is made a moment after git has answered: who looks for it before that is told that there is none.
      await eventually(async () => {
        const params = { provider: 'provider-a', org: 'admin', repo: name }
        const { items } = await callV2(listProjectPipelines, { params, query: {} })
        assert.ok(items.some(({ vcs }) => vcs?.revision === revision))
      })
      return `provider-a/admin/${name}`
    },
    callV2,
    callRh: client(`${origin}/api/rh/v1`, token),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
