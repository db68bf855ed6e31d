import { timeIn } from '#kit/brand.ts'
import { Refusal } from '#kit/refusal.ts'

/** The windows that can be asked for, in hours. */
const hours = {
  'last-24-hours': 24,
  'last-7-days': 7 * 24,
  'last-30-days': 30 * 24,
  'last-60-days': 60 * 24,
  'last-90-days': 90 * 24,
} as const

export type WindowName = keyof typeof hours

/** From one instant up to another, in milliseconds since 1970: the first belongs to it, the last does not. */
export interface Window {
  readonly from: number
  readonly to: number
}

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** How far back insights look, unless told. */
export const usualWindow: WindowName = 'last-90-days'

/** The window that ends now; what begins this very moment belongs to it. */
export function windowOf(name: WindowName, now: number): Window {
  return { from: now - hours[name] * hourMs, to: now + 1 }
}

/** The window of the same length before, where trends are told: not for more than 30 days. */
export function windowBefore(name: WindowName, now: number): Window | undefined {
  const length = hours[name] * hourMs
  return length > 30 * dayMs ? undefined : { from: now - 2 * length, to: now - length }
}

/** In what steps a window is looked at to compare it: hours of a day, days of more. */
export const intervalOf = (name: WindowName): number => (name === 'last-24-hours' ? hourMs : dayMs)

const longest = 90 * dayMs

/** The window between two dates, as somebody asked for it; the last `usual` milliseconds where nothing was said. */
export function windowBetween(
  start: string | undefined,
  end: string | undefined,
  now: number,
  usual: number = longest,
): Window {
  if (start === undefined) {
    if (end !== undefined) throw new Refusal('invalid', 'Cannot use end-date as start-date must be given beside it')
    return { from: now - usual, to: now + 1 }
  }
  const from = timeIn(start)
  if (end === undefined) return { from, to: Math.min(now + 1, from + longest) }
  const to = timeIn(end)
  if (to < from) throw new Refusal('invalid', 'Cannot use end-date as it must not be before start-date')
  if (to - from > longest)
    throw new Refusal('invalid', 'Cannot use end-date as it must be at most 90 days after start-date')
  return { from, to }
}
