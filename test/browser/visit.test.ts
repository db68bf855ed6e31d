import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { lane } from '#test/lanes.ts'
import { openProvider } from '#test/api/openid-provider.ts'
import { listAgents, setAgentMode } from '#contract/rh/agents.ts'
import { counts, eventually, hasFocus } from './eventually.ts'
import { oneJob, waitFor } from './repository.ts'
import { openStage, type Stage } from './stage.ts'

const browser = lane('browser')
const client = { id: 'roundhouse', secret: 'between us' }

describe('the pages, for somebody who comes for the first time', { skip: browser.reason }, () => {
  let stage: Stage
  let page: Page
  let provider: Awaited<ReturnType<typeof openProvider>>
  before(async () => {
    assert.ok(browser.on)
    provider = await openProvider(client)
    provider.claims = { sub: '1', preferred_username: 'grace', name: 'Grace' }
    stage = await openStage(browser.path, {
      sample: 'on',
      'openid-issuer': provider.issuer,
      'openid-client-id': client.id,
      'openid-client-secret': client.secret,
      'openid-name': 'Acme',
      'openid-creates-users': 'on',
    })
    page = stage.page
  })
  after(async () => {
    await stage?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })

  async function openWays(): Promise<void> {
    const button = page.getByRole('button', { name: 'Make a token and put it in' })
    const summary = page.getByRole('heading', { name: /Add a project|three ways/ })
    await summary.waitFor()
    if (!(await button.isVisible())) await summary.click()
  }

  test('let in whoever the provider of the operator knows', async () => {
    await stage.go('/')
    await page.getByRole('link', { name: 'Sign in with Acme' }).click()
    await page.getByRole('link', { name: /signed in as grace/ }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor()
    await stage.go('/sign-in?problem=forbidden')
    await page.getByRole('alert').getByText('Ask an administrator').waitFor()
  })

  test('send whoever is not signed in to the link, which works once', async () => {
    await stage.go('/')
    await page.getByText('printed by the command that started the server').waitFor()
    await stage.signIn()
    await page.waitForURL((url) => url.hash === '')
    await page.goto(stage.link)
    await page.getByRole('alert').waitFor()
  })

  test('show the sample as it runs and turns green, and three ways to go on, each with a command to copy', async () => {
    await stage.go('/')
    await page.getByRole('link', { name: 'sample / hello' }).waitFor()
    await page.getByRole('heading', { name: /three ways to go on/ }).waitFor()
    for (const [way, command] of [
      ['Push a folder', 'Command that pushes the folder'],
      ['Add a git URL', 'Command that adds the repository'],
      ['Connect a provider', 'Command that connects the repository'],
    ] as const) {
      const place = page.getByRole('region', { name: way })
      if (way !== 'Push a folder') await place.getByText('As a command').click()
      await place.getByLabel(command).waitFor()
      await place.getByRole('button', { name: /^Copy/ }).first().waitFor()
    }
    await page.locator('.card .status.good').waitFor()
    await page.getByRole('link', { name: 'sample / hello' }).click()
    await page.getByRole('link', { name: /^hello ?: / }).click()
    await page.locator('.heading .status.good').waitFor()
    // Nobody can be sure to have come before its end: so it is seen once more from its beginning, with an agent that waits.
    const { items } = await stage.callRh(listAgents, { query: {} })
    const agent = (mode: 'paused' | 'working') =>
      stage.callRh(setAgentMode, { params: { id: items[0]?.id ?? '' }, body: { mode } })
    await agent('paused')
    const first = page.url()
    await page.getByRole('button', { name: 'Rerun' }).click()
    await page.getByRole('menuitem', { name: 'Whole workflow' }).click()
    await page.waitForURL((url) => url.href !== first)
    await page.locator('.heading .status.busy').waitFor()
    await agent('working')
    await page.locator('.heading .status.good').waitFor()
  })

  test('give the command that pushes a folder, which leads to a green pipeline without loading a page again', async () => {
    await stage.go('/')
    await openWays()
    await page.getByLabel('Name of the project').first().fill('first')
    const command = page.getByLabel('Command that pushes the folder')
    const wanted = /^git push 'http:\/\/<token>@127\.0\.0\.1:\d+\/git\/admin\/first\.git' HEAD$/
    await eventually(async () => assert.match((await command.textContent()) ?? '', wanted))
    await stage.push('first', { config: oneJob("- run: echo 'It works'"), subject: 'Begin' })
    await page.getByRole('link', { name: '/ first' }).click()
    await page.getByText('#1 Begin').waitFor()
    await page.getByRole('link', { name: /^main ?: / }).click()
    await page.getByRole('heading', { name: 'main' }).waitFor()
    await page.locator('.heading .status.good').waitFor()
    await eventually(async () => assert.match(await page.title(), /^✓ main #1 /))
    const icon = page.locator('link[rel=icon]')
    await eventually(async () => assert.match((await icon.getAttribute('href')) ?? '', /good/))
  })

  test('keep the key of a project in sight, once it is added by its URL', async () => {
    await stage.go('/')
    await openWays()
    await page.getByLabel('URL of the repository').fill('https://git.invalid/ada/engine.git')
    await page.getByRole('button', { name: 'Add project' }).click()
    await page.getByRole('heading', { name: '/ engine' }).waitFor()
    const key = page.getByLabel('Public key')
    await key.waitFor()
    await eventually(async () => assert.match((await key.textContent()) ?? '', /^ssh-/))
  })

  test('show a log while it is written, to its end', async () => {
    const flag = join(stage.folder, 'go-on')
    await stage.push('watched', {
      config: oneJob(`- run: { name: Count, command: "echo one; ${waitFor(flag)}; sleep 0.2; echo two" }`),
    })
    await stage.go('/pipelines/provider-a/admin/watched')
    await page.getByRole('link', { name: /^main ?: / }).click()
    await page.locator('.job a.job-name').click()
    const log = page.getByRole('log', { name: 'Output of Count' })
    await log.getByText('one', { exact: true }).waitFor()
    assert.equal(await log.getByText('two', { exact: true }).count(), 0)
    await writeFile(flag, '')
    await page.locator('.heading .status.good').waitFor()
    await log.getByText('two', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Link to line 2' }).click()
    await page.waitForURL(/#s\d+L2$/)
    // The address changes before the page is drawn again, and only then is it known where a range begins.
    await counts(log.locator('.marked'), 1)
    await page.getByRole('link', { name: 'Link to line 1' }).click({ modifiers: ['Shift'] })
    await page.waitForURL(/#s\d+L1-L2$/)
    await counts(log.locator('.marked'), 2)
  })

  test('tell when each line was written, if that is wanted, and remember that it is', async () => {
    const log = page.getByRole('log', { name: 'Output of Count' })
    await log.getByText('two', { exact: true }).waitFor()
    await counts(log.locator('time'), 0)
    await page.getByRole('button', { name: 'Times' }).click()
    await log.locator('time').nth(1).waitFor()
    await page.reload()
    await log.locator('time').nth(1).waitFor()
    const [one, two] = await log
      .locator('time')
      .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')))
    assert.ok(one && two && Date.parse(two) - Date.parse(one) > 100, `${one} ${two}`)
    await page.getByRole('button', { name: 'Times', pressed: true }).click()
    await counts(log.locator('time'), 0)
    await log.getByText('two', { exact: true }).waitFor()
  })

  test('go on by themselves when the server was gone, with what was written meanwhile', async () => {
    const flag = join(stage.folder, 'after-restart')
    await stage.push('lasting', {
      config: oneJob(`- run: { name: Last, command: "echo before; ${waitFor(flag)}; echo after" }`),
    })
    await stage.go('/pipelines/provider-a/admin/lasting')
    await page.getByRole('link', { name: /^main ?: / }).click()
    await page.locator('.job a.job-name').click()
    const log = page.getByRole('log', { name: 'Output of Last' })
    await log.getByText('before', { exact: true }).waitFor()
    await page.evaluate('window.same = true')
    await stage.restart()
    await writeFile(flag, '')
    await log.getByText('after', { exact: true }).waitFor()
    await page.locator('.heading .status.good').waitFor()
    assert.equal(await page.evaluate('window.same'), true)
  })

  test('come in the look of the machine, or in the one that was chosen, also after they are loaded again', async () => {
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    await page.emulateMedia({ colorScheme: 'light' })
    await stage.go('/')
    await page.getByRole('button', { name: 'Change to light' }).waitFor()
    const light = await ground()
    await page.emulateMedia({ colorScheme: 'dark' })
    await eventually(async () => assert.notEqual(await ground(), light))
    await page.getByRole('button', { name: 'Change to light' }).click()
    await eventually(async () => assert.equal(await ground(), light))
    await page.reload()
    await page.getByRole('button', { name: 'Change to dark' }).waitFor()
    await eventually(async () => assert.equal(await ground(), light))
    await page.getByRole('button', { name: 'Change to dark' }).click()
    await page.getByRole('button', { name: 'Change to as this machine' }).click()
    await page.emulateMedia({ colorScheme: 'light' })
  })

  /** Presses Tab until something of that name has the focus. */
  async function tabTo(name: RegExp): Promise<void> {
    for (let presses = 0; presses < 300; presses++) {
      await page.keyboard.press('Tab')
      const text = await page.evaluate(
        'document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? ""',
      )
      if (name.test(String(text))) return
    }
    assert.fail(`Tab never came to ${name}`)
  }

  test('can be used with the keyboard alone: to approve a job, and to run it again', async () => {
    const config = `${oneJob('- run: echo deployed').split('workflows:')[0]}
workflows:
  main:
    jobs:
      - gate: { type: approval }
      - build: { requires: [gate] }
`
    await stage.push('gated', { config })
    await stage.go('/')
    await page.getByRole('heading', { name: '/ gated' }).waitFor()
    await tabTo(/\/ gated$/)
    await page.keyboard.press('Enter')
    await page.locator('.pipeline .status.hold').first().waitFor()
    // Each page takes the focus when one comes to it, and would take it from where the keys have gone meanwhile.
    await hasFocus(page.getByRole('main'))
    await tabTo(/^main/)
    await page.keyboard.press('Enter')
    await page.locator('.heading .status.hold').waitFor()
    await page.getByRole('button', { name: 'Approve gate' }).waitFor()
    await hasFocus(page.getByRole('main'))
    await tabTo(/^Approve gate/)
    await page.keyboard.press('Enter')
    await page.locator('.heading .status.good').waitFor()
    await counts(page.getByRole('button', { name: 'Approve gate' }), 0)
    const before = page.url()
    await tabTo(/^Rerun/)
    await page.keyboard.press('Enter')
    const [whole, failed] = [/^Whole workflow/, /^From failed/].map((name) => page.getByRole('menuitem', { name }))
    await hasFocus(whole!)
    await page.keyboard.press('ArrowDown')
    await hasFocus(failed!)
    await page.keyboard.press('Enter')
    await hasFocus(failed!)
    assert.equal(page.url(), before, 'nothing failed, so nothing is run again')
    await page.keyboard.press('ArrowUp')
    await hasFocus(whole!)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.href !== before)
  })

  test('are small: all scripts that the first one needs are under 200 kB as they are sent', async () => {
    const sizes: Promise<number>[] = []
    const sent = (response: { url(): string; headerValue(name: string): Promise<string | null> }) => {
      if (/\.js(\?|$)/.test(response.url())) sizes.push(response.headerValue('content-length').then(Number))
    }
    page.on('response', sent)
    await stage.go('/')
    await page.locator('.card').first().waitFor()
    page.off('response', sent)
    const whole = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    assert.ok(sizes.length > 0 && whole > 0 && whole < 200_000, `${whole} bytes`)
  })

  test('ask for what the first one shows beside its scripts, not after them', async () => {
    await stage.go('/')
    await page.locator('.card').first().waitFor()
    const how = await page.evaluate(
      `performance.getEntriesByType('resource').filter(({ name }) => /rh.v1.(session|projects)$/.test(name)).map(({ initiatorType }) => initiatorType)`,
    )
    assert.deepEqual((how as readonly string[]).slice(0, 2), ['link', 'link'])
  })

  test('never break, and ask for nothing that the policy of the server forbids', () => {
    assert.deepEqual(stage.complaints, [])
  })
})
