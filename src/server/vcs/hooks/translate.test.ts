import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fc } from '#test/property.ts'
import type { Provider } from '#core/names.ts'
import type { ProviderEvent } from '#core/provider-event.ts'
import { MalformedHook } from './read.ts'
import { translate } from './translate.ts'

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', `${name}.json`), 'utf8')
const read = (provider: Provider, event: string, name: string) =>
  translate(provider, { event, type: 'application/json', body: fixture(name) })

/** An event in one line: who did what to which refs or pull request. */
function told(event: ProviderEvent): string {
  const who = 'actor' in event && event.actor ? `${event.actor.login}#${event.actor.id}` : 'nobody'
  switch (event.type) {
    case 'ping':
      return 'ping'
    case 'other':
      return `other: ${event.why}`
    case 'push': {
      const moves = event.changes.map(
        ({ ref, from, to }) => `${ref} ${from?.slice(0, 2) ?? '-'}>${to?.slice(0, 2) ?? '-'}`,
      )
      return `${who} ${event.repository.owner}/${event.repository.name}: ${moves.join(', ')}`
    }
    case 'pull-request': {
      const { number, head, baseBranch, isFork, isOpen, author } = event.pull
      const from = head.repository ? `${head.repository.owner}/${head.repository.name}` : 'gone'
      const marks = [isOpen ? 'open' : 'closed', event.hasNews ? 'news' : 'no news', isFork ? 'fork' : 'own']
      return `${who} #${number} by ${author?.login} ${from} ${head.branch}@${head.revision.length} > ${baseBranch}: ${marks.join(', ')}`
    }
    default:
      return event satisfies never
  }
}

const table: readonly (readonly [Provider, string, string, string])[] = [
  ['provider-a', 'ping', 'github-ping', 'ping'],
  ['provider-a', 'push', 'github-push', 'grace#583231 acme/web: refs/heads/main 11>22'],
  ['provider-a', 'push', 'github-push-forced', 'grace#583231 acme/web: refs/heads/main 11>cc'],
  ['provider-a', 'push', 'github-push-new-branch', 'grace#583231 acme/web: refs/heads/feature/x ->22'],
  ['provider-a', 'push', 'github-push-deleted', 'grace#583231 acme/web: refs/heads/old 11>-'],
  ['provider-a', 'push', 'github-push-tag', 'grace#583231 acme/web: refs/tags/v1.0 ->22'],
  ['provider-a', 'delete', 'github-delete', 'grace#583231 acme/web: refs/heads/old ->-'],
  ['provider-a', 'create', 'github-create-tag', 'grace#583231 acme/web: refs/tags/v1.0 ->-'],
  [
    'provider-a',
    'pull_request',
    'github-pull-opened',
    'grace#583231 #5 by grace acme/web mend@40 > main: open, news, own',
  ],
  [
    'provider-a',
    'pull_request',
    'github-pull-fork',
    'mallory#666 #5 by mallory mallory/web mend@40 > main: open, news, fork',
  ],
  [
    'provider-a',
    'pull_request',
    'github-pull-fork-reopened-by-member',
    'grace#583231 #5 by mallory mallory/web mend@40 > main: open, news, fork',
  ],
  [
    'provider-a',
    'pull_request',
    'github-pull-fork-deleted',
    'mallory#666 #5 by mallory gone mend@40 > main: open, news, fork',
  ],
  [
    'provider-a',
    'pull_request',
    'github-pull-closed',
    'grace#583231 #5 by grace acme/web mend@40 > main: closed, no news, own',
  ],
  [
    'provider-a',
    'pull_request',
    'github-pull-labeled',
    'grace#583231 #5 by grace acme/web mend@40 > main: open, no news, own',
  ],
  ['provider-a', 'star', 'github-star', 'other: events of the kind "star" cause nothing'],
  ['provider-a', 'push', 'gitea-push', 'grace#7 acme/web: refs/heads/develop 11>22'],
  ['provider-a', 'delete', 'gitea-delete', 'grace#7 acme/web: refs/heads/old ->-'],
  [
    'provider-a',
    'pull_request_sync',
    'gitea-pull-synchronized',
    'grace#7 #3 by grace grace/web mend@40 > main: open, news, fork',
  ],
  [
    'provider-b',
    'repo:push',
    'bitbucket-push',
    'grace#{a1b2} acme/web: refs/heads/main 11>22, refs/heads/feature/x ->22, refs/heads/old 11>-, refs/heads/moved 11>cc, refs/tags/v1.0 ->22, refs/tags/v1.1 ->22',
  ],
  [
    'provider-b',
    'pullrequest:created',
    'bitbucket-pull-created',
    'grace#{a1b2} #8 by grace acme/web mend@12 > main: open, news, own',
  ],
  [
    'provider-b',
    'pullrequest:updated',
    'bitbucket-pull-fork',
    'grace#{a1b2} #8 by grace grace/web mend@12 > main: open, news, fork',
  ],
  [
    'provider-b',
    'pullrequest:fulfilled',
    'bitbucket-pull-fulfilled',
    'grace#{a1b2} #8 by grace acme/web mend@12 > main: closed, no news, own',
  ],
  ['provider-b', 'diagnostics:ping', 'bitbucket-ping', 'ping'],
  ['provider-b', 'repo:fork', 'bitbucket-push', 'other: events of the kind "repo:fork" cause nothing'],
  ['provider-c', 'Push Hook', 'gitlab-push', 'grace#4 acme/tools/web: refs/heads/main 11>22'],
  ['provider-c', 'Push Hook', 'gitlab-push-deleted', 'grace#4 acme/tools/web: refs/heads/old 11>-'],
  ['provider-c', 'Tag Push Hook', 'gitlab-tag', 'grace#4 acme/tools/web: refs/tags/v1.0 ->22'],
  [
    'provider-c',
    'Merge Request Hook',
    'gitlab-merge-request',
    'grace#4 #12 by 4 acme/tools/web mend@40 > main: open, news, own',
  ],
  [
    'provider-c',
    'Merge Request Hook',
    'gitlab-merge-request-pushed',
    'grace#4 #12 by 4 grace/web mend@40 > main: open, news, fork',
  ],
  [
    'provider-c',
    'Merge Request Hook',
    'gitlab-merge-request-edited',
    'grace#4 #12 by 4 acme/tools/web mend@40 > main: open, no news, own',
  ],
  [
    'provider-c',
    'Merge Request Hook',
    'gitlab-merge-request-merged',
    'grace#4 #12 by 4 acme/tools/web mend@40 > main: closed, no news, own',
  ],
  ['provider-c', 'Note Hook', 'gitlab-push', 'other: events of the kind "Note Hook" cause nothing'],
]

test('what the providers send means the same in our words', () => {
  assert.deepEqual(
    table.map(([provider, event, name]) => [name, told(read(provider, event, name))]),
    table.map(([, , name, expected]) => [name, expected]),
  )
})

test('a hook that comes as a form says the same', () => {
  const body = new URLSearchParams({ payload: fixture('github-push') }).toString()
  const event = translate('provider-a', {
    event: 'push',
    type: 'application/x-www-form-urlencoded; charset=utf-8',
    body,
  })
  assert.equal(told(event), 'grace#583231 acme/web: refs/heads/main 11>22')
})

test('what does not have the documented shape is refused in words, whatever it is', () => {
  const kinds: readonly (readonly [Provider, string])[] = table.map(([provider, event]) => [provider, event])
  const run = (provider: Provider, event: string, body: string) => {
    try {
      translate(provider, { event, type: 'application/json', body })
    } catch (error) {
      assert.ok(error instanceof MalformedHook, String(error))
    }
  }
  for (const [provider, event] of kinds)
    for (const body of ['', '[]', 'null', '{', '1', '"x"']) run(provider, event, body)
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.json(), ([provider, event], body) => run(provider, event, body)),
    { numRuns: 200 },
  )
})

test('a branch whose name could reach git as something else is refused', () => {
  const body = fixture('github-pull-opened').replaceAll('"mend"', '"--upload-pack=x"')
  const raw = { event: 'pull_request', type: 'application/json', body }
  assert.throws(() => translate('provider-a', raw), MalformedHook)
})
