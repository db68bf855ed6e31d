import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { updateProjectSettings } from '#contract/v2/project-settings.ts'
import { lane } from '#test/lanes.ts'
import { payload, type Target } from '#test/providers/signed.ts'
import { type Elsewhere, openElsewhere } from './elsewhere.ts'
import { counts, eventually } from './eventually.ts'
import { environment } from './repository.ts'
import { openStage, type Stage } from './stage.ts'

const browser = lane('browser')
const run = promisify(execFile)

describe('the ways to bring a project here', { skip: browser.reason }, () => {
  let stage: Stage
  let page: Page
  let elsewhere: Elsewhere
  let target: Target
  const params = { provider: 'provider-a', org: 'admin', repo: 'web' }

  before(async () => {
    assert.ok(browser.on)
    elsewhere = await openElsewhere()
    stage = await openStage(browser.path, {
      'provider-a-url': elsewhere.fake.url,
      'provider-a-api-url': elsewhere.fake.api,
    })
    page = stage.page
    await stage.signIn()
  })
  after(async () => {
    await stage?.[Symbol.asyncDispose]()
    await elsewhere?.[Symbol.asyncDispose]()
  })

  /** Runs a command as somebody who pasted it would, once it says these words. */
  const paste = async (label: string, folder: string, words: RegExp) => {
    let command = ''
    await eventually(async () => assert.match((command = (await page.getByLabel(label).textContent()) ?? ''), words))
    return (await run('sh', ['-ec', command], { cwd: folder, env: { ...environment, HOME: folder } })).stdout
  }

  test('are commands that work as they are pasted: a folder that was empty is pushed and turns green', async () => {
    await stage.go('/')
    await page.getByRole('button', { name: 'Make a token and put it in' }).click()
    await page.getByText('The token in these commands is shown this once').waitFor()
    const folder = await mkdtemp(join(stage.folder, 'pasted-'))
    await page.getByText('The folder has no repository or configuration yet').click()
    await paste('Command that begins a repository', folder, /^/)
    await paste('Command that pushes the folder', folder, /\/git\/admin\/my-project\.git/)
    await page.getByRole('heading', { name: '/ my-project' }).waitFor()
    await page.locator('.card .status.good').first().waitFor()
  })

  test('add a repository by its URL, with a command or here, and run it at once', async () => {
    const form = page.getByRole('region', { name: 'Add a git URL' })
    await form.getByLabel('URL of the repository').fill(elsewhere.url)
    await form.getByLabel('Name of the project').fill('by-command')
    await form.getByText('As a command').click()
    const said = await paste('Command that adds the repository', stage.folder, /acme\/web\.git.*by-command/s)
    const answer = JSON.parse(said) as { project: { slug: string } }
    assert.match(answer.project.slug, /\/admin\/by-command$/)
    await form.getByLabel('Name of the project').fill('by-form')
    await form.getByRole('button', { name: 'Add project' }).click()
    await form.getByRole('link', { name: 'run it now' }).click()
    await page.getByRole('button', { name: 'Run pipeline' }).click()
    await page.locator('.heading .status.good').waitFor()
  })

  test('connect a provider, whose hooks are then seen, with what came of them, and replayed', async () => {
    await stage.go('/')
    const summary = page.getByRole('heading', { name: 'Add a project' })
    await summary.waitFor()
    const form = page.getByRole('region', { name: 'Connect a provider' })
    if (!(await form.isVisible())) await summary.click()
    await form.getByLabel('URL at the provider').fill(elsewhere.url)
    await form.getByRole('button', { name: 'Connect' }).click()
    const words = async (label: string) => (await form.getByLabel(label, { exact: true }).textContent()) ?? ''
    target = { url: await words('Address for the provider'), secret: await words('Secret for the provider') }
    await elsewhere.tell(target, 'ping', payload('github-ping'))
    await form.getByRole('link', { name: 'connection of web' }).click()
    await page.getByRole('link', { name: /^Show what came/ }).click()
    const row = page.getByRole('row', { name: /^ping.*Done/ })
    await row.waitFor()
    assert.equal(await page.getByText(target.secret).count(), 0)
    await row.getByRole('button', { name: 'Replay ping' }).click()
    await row.waitFor()
    await row.getByRole('link', { name: 'ping' }).click()
    await page.getByLabel('What the provider sent').waitFor()
    await page.waitForURL(/receiver=.*&hook=/)
  })

  test('let nothing of a fork run before its very commit is approved of', async () => {
    await stage.callV2(updateProjectSettings, { params, body: { advanced: { build_fork_prs: true } } })
    const revision = await elsewhere.push('Mend the roof', 'refs/pull/5/head')
    await elsewhere.tell(
      target,
      'pull_request',
      payload('github-pull-fork', (text) => text.replaceAll('2'.repeat(40), revision)),
    )
    await stage.go('/pipelines/provider-a/admin/web')
    await page.getByText('Mend the roof').first().click()
    const approve = page.getByRole('button', { name: `Approve of ${revision.slice(0, 9)}` })
    await approve.waitFor()
    await page.locator('.heading .status.hold').waitFor()
    await approve.click()
    await page.locator('.heading .status.good').waitFor()
    await counts(approve, 0)
  })

  test('tell the provider how its commits do, with a token that is never shown again, and of what is wanted', async () => {
    const { fake } = elsewhere
    await stage.go('/projects/provider-a/admin/web/settings/connection')
    await page.getByText('No token: the provider is told nothing').waitFor()
    const form = page.getByRole('form', { name: 'Commit statuses' })
    await form.getByLabel('Token of the provider').fill('wrong')
    await form.getByRole('button', { name: 'Connect' }).click()
    await form.getByRole('alert').waitFor()
    fake.will('GET /repos/acme/web', { body: { permissions: { push: true } } })
    await form.getByLabel('Token of the provider').fill('of-the-provider')
    await form.getByLabel('Told of').selectOption('jobs')
    await form.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('The provider is told of jobs').waitFor()
    assert.equal(await page.getByText('of-the-provider').count(), 0)
    await eventually(async () => assert.equal(await form.getByLabel('Token of the provider').inputValue(), ''))
    const revision = await elsewhere.push('Paint the door', 'refs/heads/main')
    await stage.go('/projects/provider-a/admin/web/run')
    await page.getByRole('button', { name: 'Run pipeline' }).click()
    await page.locator('.heading .status.good').waitFor()
    const told = () =>
      fake.asked
        .filter(({ line }) => line === `POST /repos/acme/web/statuses/${revision}`)
        .map(({ body }) => body as { readonly context: string; readonly state: string })
    await eventually(() => assert.equal(told().at(-1)?.state, 'success'))
    assert.ok(told().every(({ context }) => context.endsWith('build')))
    await stage.go('/projects/provider-a/admin/web/settings/connection')
    await page.getByRole('button', { name: 'Remove token of the provider' }).click()
    await page.getByRole('button', { name: 'Yes, remove token' }).click()
    await page.getByText('No token: the provider is told nothing').waitFor()
  })

  test('look for pushes by themselves where that is wanted, and say when next', async () => {
    const interval = page.getByLabel('Seconds between two looks')
    await interval.fill('0')
    await page.getByRole('button', { name: 'Keep interval' }).click()
    await page.getByText('The repository is not looked at by itself').waitFor()
    await interval.fill('5')
    await page.getByRole('button', { name: 'Keep interval' }).click()
    await page.getByText('The next look:').waitFor()
    await elsewhere.push('Oil the hinges', 'refs/heads/main')
    await stage.go('/pipelines/provider-a/admin/web')
    await page.getByText('Oil the hinges').first().waitFor()
  })

  test('never break, and ask for nothing that the policy of the server forbids', () => {
    assert.deepEqual(stage.complaints, [])
  })
})
