import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { lane } from '#test/lanes.ts'
import { play } from '#test/browser/play.ts'
import { openStage } from '#test/browser/stage.ts'

/*
 * Makes a picture of every page, light, dark and as a phone shows it, in dist/screenshots; or those of the README, in docs/pictures.
 *
 *   npm run screenshots [part of a name]
 *   npm run screenshots readme
 */

const root = join(import.meta.dirname, '..')
const output = join(root, 'dist/screenshots')
const [only = ''] = process.argv.slice(2)
const forReadme = only === 'readme'
/** What the README calls them. */
const readme: Readonly<Record<string, string>> = {
  dashboard: 'dashboard',
  'workflow-held': 'workflow',
  'job-failed': 'job',
}
const views = [
  { name: 'light', colorScheme: 'light', size: { width: 1280, height: 860 } },
  { name: 'dark', colorScheme: 'dark', size: { width: 1280, height: 860 } },
  { name: 'phone', colorScheme: 'light', size: { width: 390, height: 844 } },
] as const

const browser = lane('browser')
if (!browser.on) throw new Error(`Cannot make screenshots: ${browser.reason}`)
if (!forReadme) await rm(output, { recursive: true, force: true })
await mkdir(output, { recursive: true })
await using stage = await openStage(browser.path, { sample: 'on' })
await stage.go('/')
if (!forReadme) await shoot(stage.page, 'sign-in')
await stage.signIn()
await stage.page.locator('.ways').waitFor()
if (!forReadme) await shoot(stage.page, 'first-visit')
for (const { name, path, ready, open } of await play(stage)) {
  if (forReadme ? readme[name] === undefined : !name.includes(only)) continue
  await stage.go(path)
  await stage.page.locator(ready).first().waitFor()
  if (open !== undefined) await stage.page.locator('#main').getByText(open, { exact: true }).first().click()
  await shoot(stage.page, name)
}

async function shoot(page: Page, name: string): Promise<void> {
  for (const view of views) {
    if (forReadme && view.name === 'phone') continue
    await page.setViewportSize(forReadme ? { width: 1280, height: 640 } : view.size)
    await page.emulateMedia({ colorScheme: view.colorScheme, reducedMotion: 'reduce' })
    await page.waitForLoadState('load')
    const path = forReadme
      ? join(root, 'docs/pictures', `${readme[name]}-${view.name}.png`)
      : join(output, `${name}-${view.name}.png`)
    await page.screenshot({ path, fullPage: view.name === 'phone' })
  }
  console.log(name)
}
