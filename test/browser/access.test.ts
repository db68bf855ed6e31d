import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { lane } from '#test/lanes.ts'
import { play } from './play.ts'
import type { Scene } from './scene.ts'
import { openStage, type Stage } from './stage.ts'

const browser = lane('browser')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

describe('every page, for whoever cannot see it as we do', { skip: browser.reason, timeout: 300_000 }, () => {
  let stage: Stage
  let axe: string
  let scenes: readonly Scene[]
  before(async () => {
    assert.ok(browser.on)
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    stage = await openStage(browser.path)
  })
  after(() => stage?.[Symbol.asyncDispose]())

  /** What the checker finds on the page as it stands, in both looks. */
  async function wrong(): Promise<readonly string[]> {
    const found: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await stage.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await stage.page.evaluate(axe)
      const violations = (await stage.page.evaluate(
        'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
      )) as readonly Violation[]
      for (const { id, nodes } of violations)
        found.push(
          ...nodes.slice(0, 3).map((node) => `${colorScheme} ${id}: ${node.html.slice(0, 150)} ${node.failureSummary}`),
        )
    }
    return found
  }

  test('to sign in', async () => {
    await stage.go('/')
    await stage.page.getByLabel('Login').waitFor()
    assert.deepEqual(await wrong(), [])
  })

  test('and all others have names, contrast and an order', async () => {
    await stage.signIn()
    scenes = await play(stage)
    const problems: Record<string, readonly string[]> = {}
    for (const { name, path, ready } of scenes) {
      await stage.go(path)
      await stage.page.locator(ready).first().waitFor()
      const found = await wrong()
      if (found.length > 0) problems[name] = found
    }
    assert.deepEqual(problems, {})
  })

  test('fit on a phone: nothing is wider than it', async () => {
    await stage.page.setViewportSize({ width: 390, height: 844 })
    const wide: string[] = []
    for (const { name, path, ready } of scenes) {
      await stage.go(path)
      await stage.page.locator(ready).first().waitFor()
      if ((await stage.page.evaluate('document.documentElement.scrollWidth > innerWidth')) === true) wide.push(name)
    }
    assert.deepEqual(wide, [])
  })
})
