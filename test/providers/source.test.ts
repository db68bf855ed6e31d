import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TooLarge } from '#server/vcs/providers/call.ts'
import { commitAt } from '#server/vcs/providers/commits.ts'
import { fileAt } from '#server/vcs/providers/contents.ts'
import { refsAt } from '#server/vcs/providers/refs.ts'
import type { ProviderKind } from '#server/vcs/providers/terms.ts'
import { openFake } from './fake-api.ts'

const [revision, parent] = ['a'.repeat(40), 'b'.repeat(40)]
const web = { owner: 'acme', name: 'web' }
const path = '.circleci/config.yml'
const message = 'Mend it\n\nFor good'
const person = { name: 'Ada', email: 'ada@example.com', date: '2026-01-02T03:04:05Z' }

/** What each provider answers, in its documented shape, and where. */
const kinds: Readonly<
  Record<
    ProviderKind,
    {
      readonly file: string
      readonly commit: readonly [string, object]
      readonly branches: string
      readonly tags: string
      readonly ref: (name: string, to: string) => object
    }
  >
> = {
  github: {
    file: `/repos/acme/web/contents/.circleci/config.yml?ref=${revision}`,
    commit: [
      `/repos/acme/web/git/commits/${revision}`,
      { sha: revision, message, author: person, committer: person, parents: [{ sha: parent }] },
    ],
    branches: '/repos/acme/web/branches?per_page=100',
    tags: '/repos/acme/web/tags?per_page=100',
    ref: (name, sha) => ({ name, commit: { sha } }),
  },
  gitea: {
    file: `/repos/acme/web/raw/.circleci/config.yml?ref=${revision}`,
    commit: [
      `/repos/acme/web/git/commits/${revision}?stat=false&verification=false&files=false`,
      { sha: revision, commit: { message, author: person, committer: person }, parents: [{ sha: parent }] },
    ],
    branches: '/repos/acme/web/branches?limit=50',
    tags: '/repos/acme/web/tags?limit=50',
    ref: (name, id) => ({ name, id: 'c'.repeat(40), commit: { id } }),
  },
  bitbucket: {
    file: `/repositories/acme/web/src/${revision}/.circleci/config.yml`,
    commit: [
      `/repositories/acme/web/commit/${revision}`,
      {
        hash: revision,
        message,
        date: '2026-01-02T03:04:05+00:00',
        author: { raw: 'Ada <ada@example.com>' },
        parents: [{ hash: parent }],
      },
    ],
    branches: '/repositories/acme/web/refs/branches?pagelen=100',
    tags: '/repositories/acme/web/refs/tags?pagelen=100',
    ref: (name, hash) => ({ name, target: { hash } }),
  },
  gitlab: {
    file: `/projects/acme%2Fweb/repository/files/.circleci%2Fconfig.yml/raw?ref=${revision}`,
    commit: [
      `/projects/acme%2Fweb/repository/commits/${revision}?stats=false`,
      {
        id: revision,
        message,
        author_name: 'Ada',
        author_email: 'ada@example.com',
        authored_date: '2026-01-02T03:04:05.000+00:00',
        committer_name: 'Ada',
        committer_email: 'ada@example.com',
        committed_date: '2026-01-02T03:04:05.000+00:00',
        parent_ids: [parent],
      },
    ],
    branches: '/projects/acme%2Fweb/repository/branches?per_page=100',
    tags: '/projects/acme%2Fweb/repository/tags?per_page=100',
    ref: (name, id) => ({ name, target: 'c'.repeat(40), commit: { id } }),
  },
}

for (const [kind, { file, commit, branches, tags, ref }] of Object.entries(kinds)) {
  test(`a file, a commit and the refs of a repository are read from ${kind}, in its words and to their end`, async () => {
    await using fake = await openFake(kind as ProviderKind)
    const speaker = { terms: fake.terms, repository: web, token: 't0ken' }
    fake.will(`GET ${file}`, { text: 'version: 2.1\n' }, { status: 404 })
    assert.equal(await fileAt(speaker, { revision, path }, 100), 'version: 2.1\n')
    assert.equal(await fileAt(speaker, { revision, path }, 100), undefined)
    fake.will(
      `GET ${commit[0]}`,
      { body: commit[1] },
      { status: 404 },
      { body: { ...commit[1], sha: '', id: '', hash: '' } },
    )
    const when = { ...person, date: '2026-01-02T03:04:05+00:00' }
    assert.deepEqual(await commitAt(speaker, revision), {
      revision,
      parents: [parent],
      author: when,
      committer: when,
      subject: 'Mend it',
      body: 'For good',
    })
    for (let i = 0; i < 2; i++) await assert.rejects(commitAt(speaker, revision), { code: 'not-found' })
    const page = (items: readonly object[], next?: string) => ({
      body: kind === 'bitbucket' ? { values: items, ...(next !== undefined && { next: fake.api + next }) } : items,
      headers: kind === 'bitbucket' || next === undefined ? {} : { link: `<${fake.api}${next}>; rel="next"` },
    })
    fake.will(`GET ${branches}`, page([ref('main', revision), ref('bad..name', revision)], '/more'))
    fake.will('GET /more', page([ref('feature/x', parent)]))
    fake.will(`GET ${tags}`, page([ref('v1', revision)]))
    assert.deepEqual(await refsAt(speaker, 'main'), {
      head: 'main',
      refs: new Map([
        ['refs/heads/main', revision],
        ['refs/heads/feature/x', parent],
        ['refs/tags/v1', revision],
      ]),
    })
    assert.ok(fake.asked.every(({ authorization }) => authorization === 'Bearer t0ken'))
  })
}

test('a repository whose usual branch is missing says which its default is', async () => {
  for (const [kind, told] of [
    ['github', { default_branch: 'trunk' }],
    ['bitbucket', { mainbranch: { name: 'trunk' } }],
  ] as const) {
    await using fake = await openFake(kind)
    const { branches, tags, ref } = kinds[kind]
    const list = (items: readonly object[]) => ({ body: kind === 'bitbucket' ? { values: items } : items })
    fake.will(`GET ${branches}`, list([ref('trunk', revision)]))
    fake.will(`GET ${tags}`, list([]))
    fake.will(kind === 'github' ? 'GET /repos/acme/web' : 'GET /repositories/acme/web', { body: told })
    assert.equal((await refsAt({ terms: fake.terms, repository: web }, 'main')).head, 'trunk')
  }
})

test('what is too large, a folder, or a list without end is not taken for something else', async () => {
  await using fake = await openFake('github')
  const speaker = { terms: fake.terms, repository: web }
  const line = `GET ${kinds.github.file}`
  fake.will(line, { text: 'x'.repeat(101) }, { text: 'x'.repeat(100) }, { body: [{ name: 'config.yml' }] })
  await assert.rejects(fileAt(speaker, { revision, path }, 100), { code: 'too-large' })
  assert.equal((await fileAt(speaker, { revision, path }, 100))?.length, 100)
  assert.equal(await fileAt(speaker, { revision, path }, 100), undefined)
  for (const wrong of [
    { revision: 'main', path },
    { revision, path: '../secret' },
    { revision, path: 'a?ref=b' },
  ])
    await assert.rejects(fileAt(speaker, wrong, 100), { code: 'invalid' })
  // Every page leads on to the same one.
  const next = { headers: { link: `<${fake.api}/repos/acme/web/branches?per_page=100>; rel="next"` }, body: [] }
  fake.will(`GET ${kinds.github.branches}`, ...Array.from({ length: 60 }, () => next))
  await assert.rejects(refsAt(speaker, 'main'), TooLarge)
  fake.asked.length = 0
  fake.will(`GET ${kinds.github.branches}`, { body: [{ name: 'main' }] })
  await assert.rejects(refsAt(speaker, 'main'), /as documented|more than/)
})
