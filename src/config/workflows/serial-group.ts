import { anyEnding } from '#core/plan.ts'
import { blame, type Trail } from '#config/trail.ts'
import type { Place } from '#config/yaml/node.ts'
import { type Invocation, privateName } from './invocation.ts'

const longestKey = 512
const allowed = /^[A-Za-z0-9._/-]+$/

/** Whether a text can name a serial group; a problem is noted if not. */
export function isSerialKey(key: string, place: Place, trail: Trail): boolean {
  if (key.length <= longestKey && allowed.test(key)) return true
  const rule = `1 to ${longestKey} of the characters A-Z a-z 0-9 . _ / -`
  blame(trail, place, `Cannot use serial-group ${JSON.stringify(key.slice(0, 100))} as it must have ${rule}`)
  return false
}

/**
 * Puts a job of a serial group between a lock and an unlock, so that one job of that group runs at a time.
 * The unlock comes however the job ends.
 */
export function inSeries(invocation: Invocation, key: string | undefined, trail: Trail): readonly Invocation[] {
  if (key === undefined || !isSerialKey(key, invocation.place, trail)) return [invocation]
  const { name, requires, filters, runs, place } = invocation
  const [lock, self] = [privateName(`${name}-lock`, place), privateName(name, place)]
  const shared = { contexts: [], filters, runs, key, place }
  return [
    { ...shared, name: `${name}-lock`, answersTo: [lock], kind: 'lock', requires },
    {
      ...invocation,
      answersTo: [...invocation.answersTo, self],
      requires: [{ target: lock, on: ['success'], place }],
    },
    {
      ...shared,
      name: `${name}-unlock`,
      answersTo: [],
      kind: 'unlock',
      requires: [{ target: self, on: anyEnding, place }],
    },
  ]
}
