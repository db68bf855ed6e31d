import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { getPreferences } from '#contract/rh/notifications.ts'
import { listOrganizations } from '#contract/rh/organizations.ts'
import { oneJob } from './repository.ts'
import { openReceiver } from './receiver.ts'
import { eventually } from './eventually.ts'
import type { Stage } from './stage.ts'
import { until } from './play.ts'

/** What somebody does who keeps a project, an organization and an installation in order: tests for a stage that is open when they run. */
export function keepingHouse(stageNow: () => Stage): void {
  const settings = (section: string) => stageNow().go(`/projects/provider-a/admin/engine/settings/${section}`)
  const organization = async (section: string) => {
    const { items } = await stageNow().callRh(listOrganizations, { query: {} })
    await stageNow().go(`/organizations/${items.find(({ name }) => name === 'admin')?.id}/${section}`)
  }

  test('forget caches, those of a name or all, once they were asked', async () => {
    const { push, go, page } = stageNow()
    const keep = (key: string) => `- save_cache: { key: ${key}, paths: [kept] }`
    const steps = `- run: mkdir -p kept && echo 1 > kept/one\n${keep('deps-1')}\n${keep('tools-1')}`
    await push('cached', { config: oneJob(steps) })
    await until(stageNow(), 'cached', (jobs) => jobs.every(({ status }) => status === 'success'))
    await go('/projects/provider-a/admin/cached/settings/caches')
    const row = (key: string) => page.getByRole('row', { name: new RegExp(key) })
    await row('deps-1').waitFor()
    await page.getByLabel('Keys that begin with').fill('deps')
    await page.getByRole('button', { name: 'Forget caches that begin with deps' }).click()
    await page.getByRole('button', { name: 'Yes, forget' }).click()
    await row('deps-1').waitFor({ state: 'detached' })
    await row('tools-1').waitFor()
    await page.getByLabel('Keys that begin with').fill('')
    await page.getByRole('button', { name: 'Forget all caches' }).click()
    await page.getByRole('button', { name: 'No', exact: true }).click()
    await row('tools-1').waitFor()
    await page.getByRole('button', { name: 'Forget all caches' }).click()
    await page.getByRole('button', { name: 'Yes, forget' }).click()
    await page.getByText('No cache yet').waitFor()
  })

  test('let a chat hear of a project, and let it be told nothing more', async () => {
    const { page } = stageNow()
    await using chat = await openReceiver()
    await settings('chat')
    await page.getByLabel('Address of the incoming webhook').fill(`${chat.url}?room=secret-room`)
    await page.getByLabel('It hears').selectOption('all')
    await page.getByRole('button', { name: 'Let it hear' }).click()
    await page.getByText(/127\.0\.0\.1.* hears every workflow that ended/).waitFor()
    await page.getByText(/Told last.*Delivered.*Answered 200/).waitFor()
    assert.equal(await page.getByText('secret-room').count(), 0)
    await stageNow().go('/projects/provider-a/admin/engine/run')
    await page.getByRole('button', { name: 'Run pipeline' }).click()
    await page.locator('.heading .status.good').waitFor()
    const told = () => chat.bodies.map((body) => (JSON.parse(body) as { readonly text: string }).text)
    const isEnd = (text: string) => /^main of pipeline .*\n.*engine/.test(text)
    await eventually(() => assert.ok(told().some(isEnd), told().join()))
    await settings('chat')
    await page.getByRole('button', { name: /^Remove the chat at/ }).click()
    await page.getByRole('button', { name: 'Yes, remove' }).click()
    await page.getByText('No chat hears of this project yet').waitFor()
  })

  test('make one address for all projects of an organization, and take it away', async () => {
    const { page } = stageNow()
    await organization('connection')
    await page.getByRole('button', { name: 'New address' }).click()
    const secret = (await page.getByLabel('Secret for the provider', { exact: true }).textContent()) ?? ''
    assert.ok(secret.length > 10)
    await page.getByRole('row', { name: /All projects/ }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: /^Show what came/ }).click()
    await page.getByRole('region', { name: 'What came' }).waitFor()
    assert.equal(await page.getByText(secret).count(), 0)
    await page
      .getByRole('row', { name: /All projects/ })
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByRole('button', { name: 'Yes, delete' }).click()
    await page.getByText('No address yet').waitFor()
  })

  test('limit an organization, and let it run again as much as there is room', async () => {
    const { page } = stageNow()
    await organization('limits')
    for (const [jobs, minutes] of [
      ['7', '30'],
      ['', ''],
    ] as const) {
      await page.getByLabel('Jobs at once').fill(jobs)
      await page.getByLabel('Minutes for a job').fill(minutes)
      await page.getByRole('button', { name: 'Keep limits' }).click()
      await page
        .getByRole('status')
        .getByText(/Kept|Done/)
        .waitFor()
      await page.reload()
      await eventually(async () => {
        assert.equal(await page.getByLabel('Jobs at once').inputValue(), jobs)
        assert.equal(await page.getByLabel('Minutes for a job').inputValue(), minutes)
      })
    }
  })

  test('give the runs of a project to a spreadsheet and to a program', async () => {
    const { go, page } = stageNow()
    await go('/projects/provider-a/admin/engine/insights')
    for (const [format, begins] of [
      ['CSV', /^\w+[\w,-]*\r?\n/],
      ['JSON', /^[[{]/],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: format, exact: true }).click(),
      ])
      assert.equal(download.suggestedFilename(), `runs-of-engine.${format.toLowerCase()}`)
      const text = await readFile(await download.path(), 'utf8')
      assert.match(text, begins)
      assert.match(text, /main/)
    }
  })

  test('set a password, which then signs them in where they wanted to be', async () => {
    const { go, page } = stageNow()
    await go('/user/access')
    const form = page.getByRole('form', { name: 'Change the password' })
    await form.getByLabel('New password').fill('correct horse battery')
    await form.getByRole('button', { name: 'Set password' }).click()
    await form.getByText('The password is set.').waitFor()
    await form.getByLabel('Current password').fill('not this one')
    await form.getByLabel('New password').fill('another horse battery')
    await form.getByRole('button', { name: 'Set password' }).click()
    await form.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await go('/pipelines?look=passed')
    await page.getByLabel('Login').fill('admin')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Pipelines' }).waitFor()
    await page.waitForURL(/\/pipelines\?look=passed$/)
  })

  test('drain an agent, and let it work again', async () => {
    const { go, page } = stageNow()
    await go('/installation/agents')
    await page.getByRole('button', { name: 'Drain built-in' }).click()
    await page.getByRole('button', { name: 'Yes, drain' }).click()
    await page.getByRole('row', { name: /built-in.*Draining/ }).waitFor()
    await page.getByRole('button', { name: 'Resume built-in' }).click()
    await page.getByRole('row', { name: /built-in.*Idle/ }).waitFor()
  })

  test('are told by the browser of what ended, on whatever page they are, and led to it', async () => {
    const { go, page, push } = stageNow()
    await page.context().grantPermissions(['notifications'])
    // A browser without a screen has nobody who sees them or clicks: they are its own all the same, and noted.
    await page.addInitScript(() => {
      const shown: object[] = []
      class Noted extends Notification {
        constructor(title: string, options: NotificationOptions) {
          super(title, options)
          shown.push({ title: this.title, body: this.body, click: () => this.dispatchEvent(new Event('click')) })
        }
      }
      Object.assign(window, { shown, Notification: Noted })
    })
    await go('/user/notifications')
    await page.getByLabel('In the browser').selectOption('all')
    await page.getByText('This browser shows them').waitFor()
    await page.getByRole('button', { name: 'Show me one' }).click()
    await eventually(async () => assert.equal(await page.evaluate('shown[0].title'), 'It works'))
    await eventually(async () => assert.equal((await stageNow().callRh(getPreferences, {})).browser, 'all'))
    // Only what ends while the page listens is told.
    await Promise.all([page.waitForResponse(/notifications\/live/), go('/organizations')])
    await push('heard', { config: oneJob('- run: exit 3'), subject: '<b>Break</b> it' })
    const heard = 'shown.find(({ title, body }) => /heard/.test(title + body))'
    await eventually(async () => assert.ok(await page.evaluate(`!!${heard}`)))
    const { title, body } = (await page.evaluate(`({ ...${heard} })`)) as {
      readonly title: string
      readonly body: string
    }
    assert.match(`${title} ${body}`, /main.*failed|failed.*main/i)
    await page.evaluate(`${heard}.click()`)
    await page.locator('.heading .status.bad').waitFor()
    await page.waitForURL(/\/pipelines\/provider-a\/admin\/heard\/1/)
  })
}
