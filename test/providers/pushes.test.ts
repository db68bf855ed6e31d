import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Provider } from '#core/names.ts'
import { type House, openHouse } from './house.ts'
import { hooksOf, type Move } from './push-hooks.ts'

const heads = (name: string) => `refs/heads/${name}`
const tags = (name: string) => `refs/tags/${name}`

/** What somebody did at a provider, and which hooks it then sends, in the order in which they come. */
interface Case {
  readonly name: string
  readonly act: (house: House) => Promise<readonly (readonly Move[])[]>
  /** What is built, by branch or tag and the subject of the commit. */
  readonly builds: readonly string[]
  /** What is shown of commits that ask not to be built. */
  readonly skips?: readonly string[]
}

const revisionOf = ({ clone }: House, name: string) => clone.revision(name)

/** Commits one after another, and pushes all of them at once to a branch. */
async function commits(house: House, branch: string, ...subjects: readonly string[]): Promise<readonly string[]> {
  const revisions: string[] = []
  for (const subject of subjects) revisions.push(await house.clone.commit(subject, {}))
  await house.push(`HEAD:${heads(branch)}`)
  return revisions
}

const skipWords = ['[ci skip] one', '[skip ci] two', 'three [CI SKIP]', 'Four\n\nWords, and then [Skip CI]'] as const

const cases: readonly Case[] = [
  {
    name: 'a push of several commits builds the newest',
    act: async (house) => {
      const [, , to] = await commits(house, 'plain', 'P1', 'P2', 'P3')
      return [[{ ref: heads('plain'), to }]]
    },
    builds: ['plain P3'],
  },
  {
    name: 'pushes one after another each have their pipeline, though the branch has moved on when they are told of',
    act: async (house) => {
      const [a, b, c] = await commits(house, 'quick', 'Q1', 'Q2', 'Q3')
      const ref = heads('quick')
      return [[{ ref, to: a }], [{ ref, from: a, to: b }], [{ ref, from: b, to: c }]]
    },
    builds: ['quick Q1', 'quick Q2', 'quick Q3'],
  },
  {
    name: 'hooks in another order, and twice, build the same',
    act: async (house) => {
      const [a, b, c] = await commits(house, 'turned', 'T1', 'T2', 'T3')
      const ref = heads('turned')
      const [first, second, third] = [[{ ref, to: a }], [{ ref, from: a, to: b }], [{ ref, from: b, to: c }]] as const
      return [third, second, third, first, second, first]
    },
    builds: ['turned T1', 'turned T2', 'turned T3'],
  },
  {
    name: 'a new branch without new commits is built as that branch',
    act: async (house) => {
      await house.push(`plain-commit:${heads('same')}`)
      return [[{ ref: heads('same'), to: await revisionOf(house, 'plain-commit') }]]
    },
    builds: ['same P3'],
  },
  {
    name: 'many branches and a tag at once are each built',
    act: async (house) => {
      const names = ['m1', 'm2', 'm3', 'm4', 'm5']
      const to = await house.clone.commit('Many', {})
      await house.push(...names.map((name) => `HEAD:${heads(name)}`), `HEAD:${tags('m6')}`)
      return [[...names.map((name) => ({ ref: heads(name), to })), { ref: tags('m6'), to }]]
    },
    builds: ['m1 Many', 'm2 Many', 'm3 Many', 'm4 Many', 'm5 Many', 'm6 Many'],
  },
  {
    name: 'a forced push builds what the branch has now',
    act: async (house) => {
      const from = await revisionOf(house, 'HEAD')
      await house.clone.git('commit', '--quiet', '--amend', '--allow-empty', '--message', 'Forced')
      await house.push(`HEAD:${heads('m1')}`)
      return [[{ ref: heads('m1'), from, to: await revisionOf(house, 'HEAD') }]]
    },
    builds: ['m1 Forced'],
  },
  {
    name: 'a branch that is deleted builds nothing, nor does what was pushed to it just before',
    act: async (house) => {
      const from = await revisionOf(house, 'HEAD~1')
      const to = await house.clone.commit('Last', {})
      await house.push(`:${heads('m2')}`)
      const ref = heads('m2')
      return [[{ ref, from, to }], [{ ref, from: to }]]
    },
    builds: [],
  },
  {
    name: 'an annotated tag builds its commit, whichever of its two objects is told',
    act: async (house) => {
      await house.clone.git('tag', '--annotate', '--message', 'One', 'v1')
      await house.push(tags('v1'))
      const [object, commit] = [await revisionOf(house, 'v1'), await revisionOf(house, 'v1^{commit}')]
      return [[{ ref: tags('v1'), to: object }], [{ ref: tags('v1'), to: commit }]]
    },
    builds: ['v1 Last'],
  },
  {
    name: 'commits that ask not to be built are not, as branch or as tag, nor are they shown twice',
    act: async (house) => {
      const moves: Move[][] = []
      for (const words of skipWords) {
        const to = await house.clone.commit(words, {})
        await house.push(`HEAD:${heads('quiet')}`)
        moves.push([{ ref: heads('quiet'), to }])
      }
      await house.push(`HEAD:${tags('quiet-tag')}`)
      moves.push([{ ref: tags('quiet-tag'), to: await revisionOf(house, 'HEAD') }])
      return [...moves, ...moves]
    },
    builds: [],
    skips: ['quiet [ci skip] one', 'quiet [skip ci] two', 'quiet three [CI SKIP]', 'quiet Four', 'quiet-tag Four'],
  },
  {
    name: 'words that only look like it, or stand too far from the beginning, keep nothing from being built',
    act: async (house) => {
      const ref = heads('loud')
      const all = await commits(house, 'loud', 'ci skip', '[ci-skip]', `${'x'.repeat(250)}[ci skip]`)
      return all.map((to) => [{ ref, to }])
    },
    builds: ['loud ci skip', 'loud [ci-skip]', `loud ${'x'.repeat(250)}[ci skip]`],
  },
]

/** What pipelines there are, by branch or tag and the subject of their commit; `subjects` keeps those that git was asked for. */
async function shown(
  { service, clone }: House,
  sign: '>' | '<',
  subjects: Map<string, string>,
): Promise<readonly string[]> {
  const rows = await service.world.db
    .selectFrom('pipelines')
    .select(['branch', 'tag', 'revision'])
    .where('number', sign, 0)
    .orderBy('number', sign === '>' ? 'asc' : 'desc')
    .execute()
  const unknown = [...new Set(rows.map(({ revision }) => revision))].filter((revision) => !subjects.has(revision))
  if (unknown.length > 0) {
    const told = (await clone.git('show', '--no-patch', '--format=%s', ...unknown)).split('\n')
    for (const [place, revision] of unknown.entries()) subjects.set(revision, told[place]!)
  }
  return rows.map(({ branch, tag, revision }) => `${branch ?? tag} ${subjects.get(revision)}`)
}

for (const provider of ['provider-a', 'provider-b', 'provider-c'] as const satisfies readonly Provider[]) {
  for (const source of ['git', 'provider'] as const) {
    test(`pushes at ${provider}, read by ${source}: what hooks name is built, each commit once on its branch`, async (t) => {
      await using house = await openHouse(provider, { terms: { source } })
      const path = provider === 'provider-c' ? (text: string) => text.replaceAll('acme/tools/web', 'acme/web') : String
      const before = { builds: 0, skips: 0 }
      const subjects = new Map<string, string>()
      for (const { name, act, builds, skips = [] } of cases)
        await t.test(name, async () => {
          const told = await act(house)
          if (name.includes('builds the newest')) await house.clone.git('branch', 'plain-commit')
          for (const moves of told)
            for (const [event, body] of hooksOf(provider, moves)) await house.tell(event, path(body))
          const [built, skipped] = [await shown(house, '>', subjects), await shown(house, '<', subjects)]
          assert.deepEqual(built.slice(before.builds).toSorted(), builds.toSorted())
          assert.deepEqual(skipped.slice(before.skips).toSorted(), skips.toSorted())
          before.builds = built.length
          before.skips = skipped.length
        })
    })
  }
}
