import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Locator } from 'playwright-core'

/** How long anything may take, on a page or behind it: a machine may stand still for a minute. */
export const patience = 180_000

/**
 * Asserts again and again until it holds, and fails as the last time did. A page is drawn some time after something was
 * done to it, and its address changes before that or behind it: nothing on it may be asserted only once.
 */
export async function eventually(holds: () => unknown): Promise<void> {
  for (const end = Date.now() + patience; ; await pause(50)) {
    try {
      await holds()
      return
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

/** Waits until so many of something are there. */
export const counts = (what: Locator, wanted: number): Promise<void> =>
  eventually(async () => assert.equal(await what.count(), wanted, String(what)))

/** Waits until keys that are pressed go to this: what is drawn gets the focus only afterwards. */
export const hasFocus = (what: Locator): Promise<void> =>
  eventually(async () =>
    assert.ok(
      await what.evaluate((element) => element === element.ownerDocument.activeElement),
      `${String(what)} has no focus`,
    ),
  )
