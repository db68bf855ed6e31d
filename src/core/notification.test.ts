import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Ending, type Wish, wants } from './notification.ts'

const statuses = ['success', 'failed', 'error', 'canceled', 'unauthorized'] as const
const befores = [undefined, ...statuses] as const
const both = [true, false] as const

const all: readonly Ending[] = statuses.flatMap((status) =>
  befores.flatMap((before) =>
    both.flatMap((isOwn) => both.map((wasOwn) => ({ status, before, isOwn, wasOwn: before !== undefined && wasOwn }))),
  ),
)

/** A line for each ending that somebody with that wish is told of: `own failed after nothing`. */
const told = (wish: Wish): ReadonlySet<string> =>
  new Set(
    all
      .filter((ending) => wants(wish, ending))
      .map(({ status, before, isOwn, wasOwn }) =>
        [isOwn ? 'own' : 'other', status, 'after', wasOwn ? 'own' : 'other', before ?? 'nothing'].join(' '),
      ),
  )

test('who wants all is told of every ending, who wants none of no ending', () => {
  assert.equal(all.filter((ending) => wants('all', ending)).length, all.length)
  assert.deepEqual(told('none'), new Set())
})

test('smart: what broke, of whoever broke it; what is well again, of whoever mended it and whoever had broken it', () => {
  const expected = new Set<string>()
  for (const status of ['failed', 'error'])
    for (const before of befores)
      for (const whose of before === undefined ? ['other'] : ['own', 'other'])
        expected.add(`own ${status} after ${whose} ${before ?? 'nothing'}`)
  for (const before of ['failed', 'error']) {
    for (const whose of ['own', 'other']) expected.add(`own success after ${whose} ${before}`)
    expected.add(`other success after own ${before}`)
  }
  assert.deepEqual(told('smart'), expected)
})
