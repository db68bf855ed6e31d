import { createHmac, timingSafeEqual } from 'node:crypto'
import { later } from '#kit/brand.ts'
import type { World } from './world.ts'

/*
 * Links that open one thing to whoever has them, for a while. What is signed names the kind of thing first, so that a link to one never
 * opens another.
 */

/** What a link opens: its kind, and what names it there. */
export type Opened = readonly [kind: 'artifact' | 'output' | 'usage', ...(string | number)[]]

/** The signature of a link that is good until a time. */
export const linkSignature = (world: World, opened: Opened, until: string): string =>
  createHmac('sha256', world.signingKey)
    .update(JSON.stringify([...opened, until]))
    .digest('base64url')

/** Whether we made a link; not whether it is too old. */
export function isOurLink(world: World, opened: Opened, until: string, signature: string): boolean {
  const given = Buffer.from(signature)
  const right = Buffer.from(linkSignature(world, opened, until))
  return given.length === right.length && timingSafeEqual(given, right)
}

/** Until when a link is good that lasts for days: a day, not an instant, so that two readers of the same thing get the same link. */
export const dayAfterTomorrow = (world: World): string => later(world.now(), 2 * 24 * 60 * 60 * 1000).slice(0, 10)

/** Whether such a day is over. */
export const isDayOver = (world: World, until: string): boolean => until < world.now().slice(0, 10)
