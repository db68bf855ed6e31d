import { test } from 'node:test'
import { catalog, type Operation } from '#contract/catalog.ts'

test('the access of every endpoint is as agreed', (t) => {
  const places = catalog.toSorted((a, b) => addressOf(a).localeCompare(addressOf(b), 'en'))
  t.assert.snapshot(
    places.map(({ prefix, endpoint: { access, method, path } }) =>
      [access.padEnd(29), method.padEnd(6), prefix + path].join(' '),
    ),
  )
})

const addressOf = ({ prefix, endpoint: { method, path } }: Operation) => `${prefix}${path} ${method}`
