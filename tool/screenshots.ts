import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { lane } from '#test/lanes.ts'
import { play } from '#test/browser/play.ts'
import { openStage } from '#test/browser/stage.ts'

/*
 * Makes a picture of every page, light, dark and as a phone shows it, in dist/screenshots.
 *
 *   npm run screenshots [part of a name]
 */

const output = join(import.meta.dirname, '../dist/screenshots')
const only = process.argv[2] ?? ''
const views = [
  { name: 'light', colorScheme: 'light', size: { width: 1280, height: 860 } },
  { name: 'dark', colorScheme: 'dark', size: { width: 1280, height: 860 } },
  { name: 'phone', colorScheme: 'light', size: { width: 390, height: 844 } },
] as const

const browser = lane('browser')
if (!browser.on) throw new Error(`Cannot make screenshots: ${browser.reason}`)
await rm(output, { recursive: true, force: true })
await mkdir(output, { recursive: true })
await using stage = await openStage(browser.path, 'on')
await stage.go('/')
await shoot(stage.page, 'sign-in')
await stage.signIn()
await shoot(stage.page, 'first-visit')
for (const { name, path, ready, open } of await play(stage)) {
  if (!name.includes(only)) continue
  await stage.go(path)
  await stage.page.locator(ready).first().waitFor()
  if (open !== undefined) await stage.page.locator('#main').getByText(open, { exact: true }).first().click()
  await shoot(stage.page, name)
}

async function shoot(page: Page, name: string): Promise<void> {
  for (const view of views) {
    await page.setViewportSize(view.size)
    await page.emulateMedia({ colorScheme: view.colorScheme, reducedMotion: 'reduce' })
    await page.waitForLoadState('load')
    await page.screenshot({ path: join(output, `${name}-${view.name}.png`), fullPage: view.name === 'phone' })
  }
  console.log(name)
}
