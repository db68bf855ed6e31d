import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { listOrganizations } from '#contract/rh/organizations.ts'
import { createUser } from '#contract/rh/users.ts'
import { lane } from '#test/lanes.ts'
import { counts, eventually, hasFocus } from './eventually.ts'
import { keepingHouse } from './keeping-house.ts'
import { until } from './play.ts'
import { openReceiver } from './receiver.ts'
import { openStage, type Stage } from './stage.ts'

const browser = lane('browser')

const config = `version: 2.1
parameters:
  deep: { type: boolean, default: false, description: Run the long tests too }
  where: { type: enum, default: staging, enum: [staging, production] }
  copies: { type: integer, default: 1 }
jobs:
  build: { machine: true, steps: [{ run: 'echo << pipeline.parameters.where >>' }] }
workflows: { main: { jobs: [build] } }
`

describe('the pages, for somebody who sets things up', { skip: browser.reason }, () => {
  let stage: Stage
  let page: Page
  const settings = (section: string) => stage.go(`/projects/provider-a/admin/engine/settings/${section}`)

  before(async () => {
    assert.ok(browser.on)
    stage = await openStage(browser.path)
    page = stage.page
    await stage.signIn()
    await stage.push('engine', { config, subject: 'Begin the engine' })
    await until(stage, 'engine', (jobs) => jobs.every(({ status }) => status === 'success'))
  })
  after(() => stage?.[Symbol.asyncDispose]())

  test('set a variable, never show its value, and ask in place before it is deleted', async () => {
    await settings('variables')
    await page.getByRole('link', { name: 'Set a variable' }).click()
    await page.waitForURL(/add=variable/)
    await page.getByLabel('Name').fill('DEPLOY_KEY')
    await page.getByLabel('Value').fill('very secret words')
    await page.getByRole('button', { name: 'Set variable' }).click()
    const row = page.getByRole('row', { name: /DEPLOY_KEY/ })
    await row.waitFor()
    assert.equal(await page.getByText('very secret words').count(), 0)
    // The form goes away with what it did.
    await counts(page.getByRole('form'), 0)
    const sure = page.getByRole('button', { name: 'Yes, delete' })
    await page.getByRole('button', { name: 'Delete DEPLOY_KEY' }).click()
    await hasFocus(sure)
    await page.keyboard.press('Escape')
    await sure.waitFor({ state: 'detached' })
    await row.waitFor()
    await page.getByRole('button', { name: 'Delete DEPLOY_KEY' }).click()
    await hasFocus(sure)
    await page.keyboard.press('Enter')
    await page.getByText('No variable yet').waitFor()
  })

  test('say what is wrong with a webhook that nobody could deliver to, and change nothing', async () => {
    await settings('webhooks?add=webhook')
    await page.getByLabel('Name').fill('inside')
    await page.getByLabel('Address').fill('http://169.254.169.254/')
    await page.getByLabel('Signing secret').fill('s')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'inside')
    await page.getByText('No webhook yet').waitFor()
    assert.equal(await page.getByRole('row').count(), 0)
  })

  test('add a webhook, send it a ping, and show that it was delivered', async () => {
    await using receiver = await openReceiver()
    await settings('webhooks?add=webhook')
    await page.getByLabel('Name').fill('chat')
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByLabel('Signing secret').fill('sign with this')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByRole('row', { name: /chat/ }).getByRole('link').click()
    await page.getByRole('button', { name: 'Send a test ping' }).click()
    const row = page.getByRole('row', { name: /ping.*Delivered.*Answered 200/ })
    await row.waitFor()
    await row.getByRole('link', { name: 'ping' }).click()
    await page.getByLabel('Body of the delivery').getByText('"ping"').waitFor()
    await page.waitForURL(/delivery=/)
    // One ping was made. Where the machine stands still for longer than a receiver may take, the same one comes once more.
    assert.deepEqual([...new Set(receiver.types)], ['ping'])
    assert.equal(new Set(receiver.bodies).size, 1)
    assert.equal(await page.getByText('sign with this').count(), 0)
  })

  test('show a delivery that failed, when it comes again, and what was said; sent again by hand, it is delivered', async () => {
    let status = 500
    await using receiver = await openReceiver(() => status)
    await settings('webhooks?add=webhook')
    await page.getByLabel('Name').fill('fails')
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByLabel('Signing secret').fill('s')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByRole('row', { name: /fails/ }).getByRole('link').click()
    await page.getByRole('button', { name: 'Send a test ping' }).click()
    const row = page.getByRole('row', { name: /ping.*Failed, comes again (in \d+|at any).*Answered 500/ })
    await page.getByRole('link', { name: 'All webhooks' }).click()
    await page.getByRole('row', { name: /chat.*Delivered/ }).waitFor()
    await page
      .getByRole('row', { name: /fails.*Failed, comes again.*Answered 500/ })
      .getByRole('link')
      .click()
    await row.getByRole('link', { name: 'ping' }).click()
    const attempts = page.getByRole('region', { name: 'Attempts' })
    await attempts
      .getByRole('row', { name: /Answered 500.*not today/ })
      .first()
      .waitFor()
    const which = page.getByRole('navigation', { name: 'Which deliveries' })
    await which.getByRole('link', { name: 'Delivered' }).click()
    await page.getByText('None of them stands so.').waitFor()
    await which.getByRole('link', { name: 'On their way' }).click()
    await row.getByRole('link', { name: 'ping' }).click()
    status = 200
    await page.getByRole('button', { name: 'Send this again' }).click()
    await attempts
      .getByRole('row', { name: /Answered 200.*thanks/ })
      .first()
      .waitFor()
    await which.getByRole('link', { name: 'Delivered' }).click()
    await page.getByRole('row', { name: /ping.*Delivered.*Answered 200/ }).waitFor()
    await page.waitForURL(/state=delivered/)
    assert.equal(new Set(receiver.bodies).size, 1)
  })

  test('make a token that is shown once and works', async () => {
    await stage.go('/user/tokens?add=token')
    await page.getByLabel('Label').fill('for the laptop')
    await page.getByRole('button', { name: 'Make token' }).click()
    const token = (await page.getByLabel('New token').textContent()) ?? ''
    const answer = await fetch(new URL('/api/v2/me', stage.link), { headers: { authorization: `Bearer ${token}` } })
    assert.equal(answer.status, 200)
    await page.reload()
    await page.getByRole('row', { name: /for the laptop/ }).waitFor()
    assert.equal(await page.getByText(token).count(), 0)
    await page.getByRole('button', { name: 'Revoke for the laptop' }).click()
    await page.getByRole('button', { name: 'Yes, revoke' }).click()
    await page.getByRole('row', { name: /for the laptop/ }).waitFor({ state: 'detached' })
  })

  test('make a schedule, say when it runs next, and change it', async () => {
    await settings('schedules?add=schedule')
    await page.getByLabel('Name', { exact: true }).fill('nightly')
    await page.getByLabel('Hours of the day').fill('25')
    await page.getByRole('button', { name: 'Make schedule' }).click()
    await page.getByRole('alert').getByText('numbers from 0 to 23').waitFor()
    // Not within the minute of which one says "now".
    await page.getByLabel('Hours of the day').fill(String((new Date().getUTCHours() + 12) % 24))
    await page.getByRole('button', { name: 'Make schedule' }).click()
    const row = page.getByRole('row', { name: /nightly/ })
    await row.getByText(/^in /).first().waitFor()
    await page.getByRole('link', { name: 'Edit nightly' }).click()
    await page.getByLabel('Hours of the day').fill('9-11')
    await page.getByLabel('SAT').check()
    await page.getByRole('button', { name: 'Keep changes' }).click()
    await row.getByText('at 9, 10, 11 h (UTC) on MON, TUE, WED, THU, FRI, SAT').waitFor()
  })

  test('run a pipeline with the parameters that its configuration declares', async () => {
    await stage.go('/projects/provider-a/admin/engine/run')
    await page.getByText('Run the long tests too').waitFor()
    await page.getByLabel('deep').check()
    await page.getByLabel('where', { exact: true }).selectOption('production')
    await page.getByLabel('copies').fill('many')
    await page.getByRole('button', { name: 'Run pipeline' }).click()
    await page.getByText('copies must be a whole number').waitFor()
    const copies = page.getByLabel('copies')
    await eventually(async () => assert.equal(await copies.getAttribute('aria-invalid'), 'true'))
    await page.getByLabel('copies').fill('3')
    await page.getByRole('button', { name: 'Run pipeline' }).click()
    await page.waitForURL(/\/pipelines\/provider-a\/admin\/engine\/2$/)
    await stage.go('/projects/provider-a/admin/engine/run?branch=none')
    await page.getByRole('alert').getByText('Branch not found').waitFor()
  })

  test('find things from anywhere, with the keyboard alone', async () => {
    await stage.go('/organizations')
    await page.getByRole('heading', { name: 'Organizations' }).waitFor()
    const words = page.getByRole('combobox')
    // Keys are listened for a moment after the page is drawn.
    await eventually(async () => {
      await page.keyboard.press('Control+k')
      await words.waitFor({ timeout: 5_000 })
    })
    await hasFocus(words)
    await page.keyboard.type('engin')
    await page
      .getByRole('option', { name: /engine/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/pipelines\/provider-a\/admin\/engine$/)
    await words.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await words.fill('#1')
    await page.getByRole('option', { name: /#1 Begin the engine/ }).waitFor()
    await hasFocus(words)
    await page.keyboard.press('Escape')
    await words.waitFor({ state: 'detached' })
    await stage.go('/search?q=main&kind=branch')
    await page.getByRole('link', { name: 'main', exact: true }).waitFor()
  })

  test('draw how a workflow does, and tell the same in tables', async () => {
    await stage.go('/projects/provider-a/admin/engine/insights?window=last-7-days')
    await page.getByRole('link', { name: 'main', exact: true }).click()
    await page.locator('.chart-place canvas').first().waitFor()
    for (const title of ['Success', 'Duration', 'Runs']) {
      await page.getByText(`${title} as a table`).click()
      const table = page.getByRole('table', { name: title, exact: true })
      await counts(table.getByRole('row'), 8)
    }
    await page.getByRole('link', { name: '24 hours' }).click()
    await page.waitForURL(/window=last-24-hours/)
  })

  test('keep limits, let a test into quarantine, and say of an address that no chat has why it is refused', async () => {
    await settings('limits')
    await page.getByLabel('Jobs at once').fill('3')
    await page.getByRole('button', { name: 'Keep limits' }).click()
    await page.getByRole('status').getByText('Kept').waitFor()
    await page.reload()
    await eventually(async () => assert.equal(await page.getByLabel('Jobs at once').inputValue(), '3'))
    await settings('quarantine?add=test')
    await page.getByLabel('Name').fill('rounds half to even')
    await page.getByLabel('Why').fill('Known since May')
    await page.getByRole('button', { name: 'Quarantine', exact: true }).click()
    await page.getByRole('row', { name: /rounds half to even.*Known since May/ }).waitFor()
    await page.getByRole('button', { name: 'Release rounds half to even' }).click()
    await page.getByText('No test is in quarantine').waitFor()
    await settings('chat')
    await page.getByLabel('Address of the incoming webhook').fill('http://169.254.169.254/')
    await page.getByRole('button', { name: 'Let it hear' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByText('No chat hears of this project yet').waitFor()
  })

  test('limit a context to a project that is chosen by its name', async () => {
    const { items } = await stage.callRh(listOrganizations, { query: {} })
    await stage.go(`/organizations/${items.find(({ name }) => name === 'admin')?.id}/contexts?add=context`)
    await page.getByLabel('Name').fill('deploy')
    await page.getByRole('button', { name: 'Make context' }).click()
    await page.getByRole('link', { name: 'deploy' }).click()
    await page.getByRole('link', { name: 'Add a restriction' }).click()
    await page.getByLabel('Project').fill('engin')
    await page.locator('datalist option[value=engine]').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Add restriction' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Project').fill('engine')
    await page.getByRole('button', { name: 'Add restriction' }).click()
    await page.getByRole('row', { name: /A project.*engine/ }).waitFor()
  })

  test('find who did what, with the filter in the address', async () => {
    await stage.go('/installation/audit')
    await page.getByLabel('What').fill('context')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(/what=context/)
    // The address changes before the list does.
    await eventually(async () => {
      const [, ...rows] = await page.getByRole('row').allTextContents()
      assert.ok(rows.some((row) => /admin.*createContext/.test(row)))
      assert.deepEqual(
        rows.filter((row) => !/context/i.test(row)),
        [],
      )
    })
    await stage.go('/installation/audit?who=nobody')
    await page.getByText('Nothing like this').waitFor()
  })

  test('pause an agent and let it work again', async () => {
    await stage.go('/installation/agents')
    await page.getByRole('button', { name: 'Pause built-in' }).click()
    await page.getByRole('row', { name: /built-in.*Paused/ }).waitFor()
    await page.getByRole('button', { name: 'Resume built-in' }).click()
    await page.getByRole('row', { name: /built-in.*Idle/ }).waitFor()
  })

  test('ask the browser before it shows notifications, and say so', async () => {
    await stage.go('/user/notifications')
    await page.getByLabel('In the browser').selectOption('all')
    await page.getByRole('button', { name: 'Allow in this browser' }).waitFor()
    await page.context().grantPermissions(['notifications'])
    await page.reload()
    await page.getByText('This browser shows them').waitFor()
  })

  keepingHouse(() => stage)

  test('show whoever may only look why they cannot change anything', async () => {
    const { items } = await stage.callRh(listOrganizations, { query: {} })
    await stage.go(`/organizations/${items.find(({ name }) => name === 'admin')?.id}/members?add=member`)
    const form = page.getByRole('form', { name: 'Add somebody' })
    await form.getByLabel('Who').selectOption('new')
    await form.getByLabel('Login').fill('vera')
    await form.getByLabel('Role').selectOption('viewer')
    await form.getByRole('button', { name: 'Invite' }).click()
    const link = (await page.getByLabel(/Link that signs vera in/).textContent()) ?? ''
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await settings('variables')
    await page.getByText('You may look at this project and not change it.').waitFor()
    const refused = page.getByRole('button', { name: 'Set a variable' })
    await eventually(async () => assert.equal(await refused.getAttribute('aria-disabled'), 'true'))
    await eventually(async () => assert.match((await refused.getAttribute('title')) ?? '', /Ask an owner/))
    for (const section of ['webhooks', 'webhooks?webhook=none', 'caches', 'chat', 'connection', 'builds', 'keys']) {
      await settings(section)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      // What only members may read is not waited for.
      await page.getByText('Loading…').first().waitFor({ state: 'detached' })
    }
    await stage.go('/pipelines/provider-a/admin/engine')
    const run = page.getByRole('button', { name: 'Run pipeline', disabled: true })
    await run.waitFor()
    await eventually(async () => assert.match((await run.getAttribute('title')) ?? '', /You may look at admin/))
  })

  test('tell whoever a project is not for what to do, on each of its pages', async () => {
    const { sign_in_url } = await stage.callRh(createUser, { body: { login: 'sam' } })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(sign_in_url)
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    for (const path of ['pipelines/X', 'pipelines/X/1', 'projects/X/settings/keys', 'projects/X/insights?view=queue']) {
      await stage.turnTo(`/${path.replace('X', 'provider-a/admin/engine')}`)
      await page.getByText('ask an owner of admin to make you a member').waitFor()
    }
    await stage.turnTo('/installation/agents')
    await page.getByText('Only administrators of this installation may see this').waitFor()
  })

  test('never break, and ask for nothing that the policy of the server forbids', () => {
    assert.deepEqual(stage.complaints, [])
  })
})
