import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { lane } from '#test/lanes.ts'
import { eventually, patience } from './eventually.ts'
import { play } from './play.ts'
import { openStage, type Stage } from './stage.ts'

const browser = lane('browser')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

describe('every page, for whoever cannot see it as we do', { skip: browser.reason }, () => {
  let stage: Stage
  let axe: string
  before(async () => {
    assert.ok(browser.on)
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    stage = await openStage(browser.path)
  })
  after(() => stage?.[Symbol.asyncDispose]())

  /** What the checker finds on the page as it stands; only colours differ between the two looks. */
  async function wrong(): Promise<readonly string[]> {
    const found: string[] = []
    // Pages are turned to without loading them anew: the checker need not be brought each time.
    if (!(await stage.page.evaluate('"axe" in window'))) await stage.page.evaluate(axe)
    for (const [colorScheme, rules] of [
      ['light', '{}'],
      ['dark', '{ runOnly: ["color-contrast"] }'],
    ] as const) {
      await stage.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const violations = (await stage.page.evaluate(
        `axe.run(document, { resultTypes: ["violations"], ...${rules} }).then(({ violations }) => violations)`,
      )) as readonly Violation[]
      for (const { id, nodes } of violations)
        found.push(
          ...nodes.slice(0, 3).map((node) => `${colorScheme} ${id}: ${node.html.slice(0, 150)} ${node.failureSummary}`),
        )
    }
    return found
  }

  /** Whether a page is wider than a phone that shows it. */
  async function tooWide(): Promise<boolean> {
    await stage.page.setViewportSize({ width: 390, height: 844 })
    await eventually(async () => assert.equal(await stage.page.evaluate('innerWidth'), 390))
    const wide = await stage.page.evaluate('document.documentElement.scrollWidth > innerWidth')
    await stage.page.setViewportSize({ width: 1280, height: 860 })
    await eventually(async () => assert.equal(await stage.page.evaluate('innerWidth'), 1280))
    return wide === true
  }

  test('to sign in', async () => {
    await stage.go('/')
    await stage.page.getByLabel('Login').waitFor()
    await eventually(async () => assert.deepEqual(await wrong(), []))
  })

  test('and all others have names, contrast and an order, and fit on a phone', async () => {
    await stage.signIn()
    const problems: Record<string, readonly string[]> = {}
    const look = async () => [...(await wrong()), ...((await tooWide()) ? ['wider than a phone'] : [])]
    for (const { name, path, ready } of await play(stage)) {
      await stage.turnTo(path)
      await stage.page.locator(ready).first().waitFor()
      // Not everything is in its place at once, as charts follow the width of their page: what is wrong must stay so.
      let found = await look()
      for (const end = Date.now() + patience / 6; found.length > 0 && Date.now() < end;) found = await look()
      if (found.length > 0) problems[name] = found
    }
    assert.deepEqual(problems, {})
  })
})
