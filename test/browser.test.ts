import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { lane } from './lanes.ts'

const browser = lane('browser')
const root = join(import.meta.dirname, '..')
const run = promisify(execFile)
const patience = 15_000

/** A port of this machine that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}

/** A server of its own, in an empty folder, and the link that it prints for the first sign-in. */
async function startServer(folder: string) {
  const settings = {
    listen: `127.0.0.1:${await freePort()}`,
    data: join(folder, 'data'),
    sample: 'off',
    'drain-seconds': '0',
    'log-level': 'error',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const child = spawn(process.execPath, [join(root, 'bin/roundhouse.ts'), 'up', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  const ended = once(child, 'exit')
  const link = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line)
        const found = /http:\/\/\S+\/sign-in#key=\S+/.exec(line)
        if (found) resolve(found[0])
      })
    }
    void ended.then(() => reject(new Error(`The server ended:\n${said.join('\n')}`)))
  })
  return {
    link: await link,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** A browser with a profile of its own that forgets everything. */
function openBrowser(folder: string, path: string): Promise<BrowserContext> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']
  return chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', ...quiet],
    timeout: patience,
  })
}

interface Commit {
  readonly config: string
  readonly subject?: string
  readonly branch?: string
}

/** A git repository with one commit. */
async function repository(folder: string, { config, subject = 'First commit', branch = 'main' }: Commit) {
  const file = join(folder, '.service/config.yml')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, config)
  const git = (...args: readonly string[]) => run('git', ['-C', folder, ...args], { env: gitEnvironment })
  await git('init', '-q', '-b', branch)
  await git('add', '.')
  await git('commit', '-q', '-m', subject)
  return git
}

const person = { NAME: 'Ada', EMAIL: 'ada@example.test' }
const gitEnvironment = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  ...Object.fromEntries(
    Object.entries(person).flatMap(([part, value]) => [
      [`GIT_AUTHOR_${part}`, value],
      [`GIT_COMMITTER_${part}`, value],
    ]),
  ),
}

/** A command that waits, for a minute at most, until a test lets it go on by making the file. */
const waitFor = (file: string) => `for i in $(seq 600); do [ -e '${file}' ] && break; sleep 0.1; done`

const oneJob = (steps: string) => `version: 2.1
jobs:
  build:
    machine: true
    steps:
${steps.replaceAll(/^/gm, '      ')}
workflows:
  main:
    jobs: [build]
`

describe('the pages', { skip: browser.reason, timeout: 240_000 }, () => {
  const stack = new AsyncDisposableStack()
  let folder: string
  let page: Page
  let server: Awaited<ReturnType<typeof startServer>>
  const complaints: string[] = []

  before(async () => {
    assert.ok(browser.on)
    folder = await mkdtemp(join(tmpdir(), 'roundhouse-browser-'))
    stack.defer(() => rm(folder, { recursive: true, force: true }))
    server = stack.use(await startServer(folder))
    const context = stack.adopt(await openBrowser(folder, browser.path), (one) => one.close())
    context.setDefaultTimeout(patience)
    page = context.pages()[0] ?? (await context.newPage())
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) complaints.push(message.text())
    })
  })

  after(() => stack.disposeAsync())

  /** Pushes a new project with the command that the first page shows, and opens the page of its pipelines. */
  async function push(name: string, commit: Commit): Promise<void> {
    await page.goto(new URL('/', server.link).href)
    await openWays()
    await page.getByLabel('Name of the project').first().fill(name)
    const command = (await page.getByLabel('Command that pushes the folder').textContent()) ?? ''
    const [, url = '', ref = ''] = /^git push '([^']+)' (\S+)$/.exec(command) ?? []
    const token = (await readFile(join(folder, 'data/admin-token'), 'utf8')).trim()
    const git = await repository(await mkdtemp(join(folder, 'repository-')), commit)
    await git('push', '-q', url.replace('<token>', token), ref)
    await page.getByRole('link', { name: `/ ${name}` }).click()
  }

  async function openWays(): Promise<void> {
    const button = page.getByRole('button', { name: 'Make a token and put it in' })
    const summary = page.getByRole('heading', { name: /Add a project|three ways/ })
    await summary.waitFor()
    if (!(await button.isVisible())) await summary.click()
  }

  const openWorkflow = () => page.getByRole('link', { name: /^main ?: / }).click()

  test('send whoever is not signed in to the link, which works once', async () => {
    await page.goto(new URL('/', server.link).href)
    await page.getByText('printed by the command that started the server').waitFor()
    await page.goto(server.link)
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    assert.equal(new URL(page.url()).hash, '')
    await page.goto(server.link)
    await page.getByRole('alert').waitFor()
  })

  test('keep the key of a project in sight, once it is added by its URL', async () => {
    await page.goto(new URL('/', server.link).href)
    await openWays()
    await page.getByLabel('URL of the repository').fill('https://git.invalid/ada/engine.git')
    await page.getByRole('button', { name: 'Add project' }).click()
    await page.getByRole('heading', { name: '/ engine' }).waitFor()
    await page.getByLabel('Public key').waitFor({ state: 'attached' })
    assert.ok(await page.getByLabel('Public key').isVisible())
    assert.match((await page.getByLabel('Public key').textContent()) ?? '', /^ssh-/)
  })

  test('lead from the first visit to a green pipeline, without loading a page again', async () => {
    await push('first', { config: oneJob("- run: echo 'It works'"), subject: 'Begin' })
    await page.getByText('Begin').waitFor()
    await openWorkflow()
    await page.getByRole('heading', { name: 'main' }).waitFor()
    await page.locator('.heading .status.good').waitFor()
    assert.match(await page.title(), /^✓ main #1 /)
  })

  test('show a log while it is written, to its end', async () => {
    const flag = join(folder, 'go-on')
    await push('watched', {
      config: oneJob(`- run: { name: Count, command: "echo one; ${waitFor(flag)}; echo two" }`),
    })
    await openWorkflow()
    await page.getByRole('link', { name: 'build' }).click()
    const log = page.getByRole('log', { name: 'Output of Count' })
    await log.getByText('one', { exact: true }).waitFor()
    assert.equal(await log.getByText('two', { exact: true }).count(), 0)
    await writeFile(flag, '')
    await page.locator('.heading .status.good').waitFor()
    await log.getByText('two', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Link to line 2' }).click()
    assert.match(page.url(), /#s\d+L2$/)
  })

  test('hold a workflow until somebody approves', async () => {
    const config = `${oneJob('- run: echo deployed').split('workflows:')[0]}
workflows:
  main:
    jobs:
      - gate: { type: approval }
      - build: { requires: [gate] }
`
    await push('gated', { config })
    await openWorkflow()
    await page.locator('.heading .status.hold').waitFor()
    await page.getByRole('button', { name: 'Approve gate' }).click()
    await page.locator('.heading .status.good').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Approve gate' }).count(), 0)
  })

  test('cancel what runs, then offer to run it again', async () => {
    await push('canceled', { config: oneJob(`- run: "${waitFor(join(folder, 'never'))}"`) })
    await openWorkflow()
    await page.locator('.job .status.busy').waitFor()
    const rerun = page.getByRole('button', { name: 'Rerun', exact: true })
    assert.equal(await rerun.getAttribute('aria-disabled'), 'true')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('.heading .status.stop').waitFor()
    await page.locator('.job .status.stop').waitFor()
    assert.equal(await rerun.getAttribute('aria-disabled'), 'false')
  })

  test('show errors of a configuration at their line', async () => {
    await push('broken', { config: 'version: 2.1\njobs:\n  build:\n    machine: true\n    stepz: []\n' })
    await page.getByRole('list', { name: 'Errors' }).waitFor()
    await page.getByRole('link', { name: /#1/ }).click()
    await page.getByText('stepz: []').waitFor()
    await page.locator('.heading .status.bad').waitFor()
  })

  test('show whatever comes from outside as text', async () => {
    const evil = '<img src=x onerror="window.pwned=1">'
    const step = {
      run: { name: evil, command: `printf '%s\\n' '${evil}' '\\033]8;;javascript:alert(1)\\007link\\033]8;;\\007'` },
    }
    await push('hostile', { config: oneJob(`- ${JSON.stringify(step)}`), subject: evil, branch: 'a<b>&"' })
    await page.getByText(evil).waitFor()
    await openWorkflow()
    await page.locator('.heading .status.good').waitFor()
    await page.getByRole('link', { name: 'build' }).click()
    await page.getByRole('button', { name: evil }).click()
    await page.getByRole('log').getByText(evil, { exact: true }).waitFor()
    assert.equal(await page.locator('img').count(), 0)
    assert.equal(await page.evaluate('window.pwned'), undefined)
  })

  test('never break, and ask for nothing that the policy of the server forbids', () => {
    assert.deepEqual(complaints, [])
  })
})
