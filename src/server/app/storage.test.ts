import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { claim, end, givenAgent, givenWorkflow, type Held } from '#test/given.ts'
import { databases, noon, smallWorld, type SmallWorld } from '#test/world.ts'
import { putStep } from '#server/store/steps.ts'
import { allArtifacts, listArtifacts, saveArtifact, saveArtifacts } from './artifacts.ts'
import { clearCaches, findCache, listCaches, readCache, saveCache } from './caches.ts'
import { lend } from './exchange.ts'
import { cacheUse } from './insights/cache-use.ts'
import { storedAt } from './storage.ts'
import { sweepStored, sweepStrays } from './sweep.ts'
import { readLayer, saveLayer, upstreamLayers, wholeWorkspace } from './workspaces.ts'

const dayMs = 24 * 60 * 60 * 1000
const bytes = (words: string) => Readable.from([Buffer.from(words)]) as AsyncIterable<Buffer>

async function stage(database: (typeof databases)[number], ...jobs: readonly string[]) {
  const it = await smallWorld(database)
  const given = await givenWorkflow(it, ...(jobs.length === 0 ? ['build'] : jobs))
  const agent = await givenAgent(it)
  /** Takes the one job that is ready. */
  const take = async (): Promise<Held> => {
    const [held] = await claim(it, agent)
    if (!held) throw new Error('There is no job to take')
    return held
  }
  return { ...it, it, given, take, [Symbol.asyncDispose]: () => it[Symbol.asyncDispose]() }
}

const blobsOf = async ({ world }: SmallWorld, prefix: string) =>
  (await Array.fromAsync(world.blobs.list(prefix))).length

for (const database of databases) {
  describe(`what is kept of the files of jobs on ${database}`, () => {
    test('a restore counts once: as found by any of its keys, or as missed by the last; saving counts nothing', async () => {
      await using stand = await stage(database)
      const { world, app, given } = stand
      const { lease } = await stand.take()
      const use = async () => {
        const { hits, misses, rate, days } = await cacheUse(app, given.project)
        return [hits, misses, rate, days.length]
      }
      assert.deepEqual(await use(), [0, 0, 0, 0])
      await findCache(world, lease, ['k-1'], true)
      await saveCache(app, lease, 'k-1', bytes('one'))
      await findCache(world, lease, ['other'], false, true)
      await findCache(world, lease, ['k'], false)
      assert.deepEqual(await use(), [1, 0, 1, 1])
      stand.it.wait(dayMs)
      await findCache(world, lease, ['none'], false)
      assert.deepEqual(await use(), [1, 1, 0.5, 2])
      stand.it.wait(90 * dayMs)
      assert.deepEqual(await use(), [0, 1, 0, 1])
    })

    test('a prefix finds the newest cache, an exact key itself, and neither another project or letter case', async () => {
      await using stand = await stage(database)
      const { world, app, it } = stand
      const { lease } = await stand.take()
      const found = async (key: string, exact = false) =>
        (await findCache(world, lease, [key], exact))?.cache.key ?? 'none'
      for (const key of ['a-1', 'a-10', 'A-11', 'b_%', 'ünïcödé-1']) await saveCache(app, lease, key, bytes(key))
      assert.deepEqual(
        [await found('a-1'), await found('a-1', true), await found('a-2'), await found('a'), await found('A')],
        ['a-10', 'a-1', 'none', 'a-10', 'A-11'],
      )
      assert.deepEqual([await found('b%'), await found('b_%'), await found('ünïcödé')], ['none', 'b_%', 'ünïcödé-1'])
      assert.equal((await findCache(world, lease, ['none', 'b', 'a'], false))?.cache.key, 'b_%')
      const other = { ...lease, project_id: '00000000-0000-7000-8000-ffffffffffff' }
      assert.equal(await findCache(world, other, ['a'], false), undefined)
      const cache = await findCache(world, lease, ['a-1'], true)
      assert.equal(await text(await (await readCache(world, lease, cache!.cache.id)).read()), 'a-1')
      await assert.rejects(readCache(world, other, cache!.cache.id), { code: 'not-found' })
      assert.equal(await clearCaches(world, stand.given.project, 'a-'), 2)
      assert.equal(await clearCaches(world, stand.given.project), 3)
      assert.equal(await blobsOf(it, 'caches/'), 0)
    })

    test('a key keeps its first cache, also against one that is saved at the same time, until its time is over', async () => {
      await using stand = await stage(database)
      const { world, app, it } = stand
      const { lease } = await stand.take()
      const saved = await Promise.all(['one', 'two', 'three'].map((words) => saveCache(app, lease, 'k', bytes(words))))
      assert.equal(saved.filter((each) => each.saved).length, 1)
      assert.equal(await blobsOf(it, 'caches/'), 1)
      it.wait(15 * dayMs)
      assert.equal(await findCache(world, lease, ['k'], false), undefined)
      assert.deepEqual((await listCaches(app, stand.given.project, undefined)).items, [])
      assert.equal((await saveCache(app, lease, 'k', bytes('four'))).saved, true)
      assert.equal(await blobsOf(it, 'caches/'), 1)
    })

    test('what breaks off, is too large, or comes from an agent that lost the job leaves nothing', async () => {
      await using it = await smallWorld(database, { storage: { ...(await terms()), mostStoredBytes: 10 } })
      await givenWorkflow(it, 'build')
      const [held] = await claim(it, await givenAgent(it))
      const { lease } = held!
      async function* broken(): AsyncGenerator<Buffer> {
        yield Buffer.from('half')
        throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
      }
      await assert.rejects(saveCache(it.app, lease, 'k', broken()), { code: 'invalid' })
      await assert.rejects(saveCache(it.app, lease, 'k', bytes('eleven bytes')), { code: 'too-large' })
      await assert.rejects(saveCache(it.app, { ...lease, fence: 99 }, 'k', bytes('late')), { code: 'unauthenticated' })
      await assert.rejects(saveArtifact(it.world, { ...lease, fence: 99 }, 'a', bytes('late')))
      await assert.rejects(saveLayer(it.world, { ...lease, fence: 99 }, 0, bytes('late')))
      assert.equal(await findCache(it.world, lease, ['k'], false), undefined)
    })

    test('layers come in the order of the graph and say over whom they lie; nobody else’s can be read', async () => {
      await using stand = await stage(database, 'a', 'b: a', 'c: a', 'd: b c', 'e')
      const { world } = stand
      const ids: Record<string, string> = {}
      let last: Held | undefined
      for (let i = 0; i < 4; i++) {
        const held = await stand.take()
        const name = Object.entries(stand.given.jobs).find(([, id]) => id === held.job.id)?.[0] ?? ''
        ids[`${name}0`] = await saveLayer(world, held.lease, 0, bytes(name))
        ids[`${name}1`] = await saveLayer(world, held.lease, 1, bytes(name))
        // Done again, it replaces.
        ids[`${name}1`] = await saveLayer(world, held.lease, 1, bytes(`${name} again`))
        await end(stand.it, held)
      }
      last = await stand.take()
      assert.equal(last.job.id, stand.given.jobs['d'])
      const nameOf = (id: string) => Object.entries(ids).find(([, other]) => other === id)?.[0]
      const seen = await upstreamLayers(world, last.job.id)
      assert.deepEqual(
        seen.map(({ row, over }) => [nameOf(row.id), over.map(nameOf).join(' ')]),
        [
          ['a0', ''],
          ['a1', 'a0'],
          ['b0', 'a0 a1'],
          ['b1', 'a0 a1 b0'],
          ['c0', 'a0 a1'],
          ['c1', 'a0 a1 c0'],
        ],
      )
      assert.equal(await text(await (await readLayer(world, last.lease, ids['b1']!)).read()), 'b again')
      await assert.rejects(readLayer(world, last.lease, ids['e0']!), { code: 'not-found' })
      assert.equal(await blobsOf(stand.it, 'layers/'), 8)
    })

    test('a workspace is whole until the time of one of its layers is over, swept or not', async () => {
      await using stand = await stage(database, 'a', 'b: a', 'c: b')
      const { world, it } = stand
      for (const _ of ['a', 'b']) {
        const held = await stand.take()
        const at = world.now()
        const ended = {
          job_id: held.job.id,
          node: 0,
          name: 'persist',
          type: 'persist_to_workspace',
          command: '',
          background: 0,
          exit_code: 0,
          started_at: at,
          ended_at: at,
          log_state: 'packed',
        } as const
        await putStep(world.db, { ...ended, position: 0, status: 'success' })
        // One that failed left nothing behind that could be missed.
        await putStep(world.db, { ...ended, position: 1, status: 'failed' })
        await saveLayer(world, held.lease, 0, bytes('x'))
        await end(it, held)
        it.wait(dayMs)
      }
      const job = stand.given.jobs['c']!
      assert.equal((await wholeWorkspace(world, job)).length, 2)
      it.wait(13 * dayMs)
      const gone = { code: 'invalid', message: /^What a persisted to the workspace is gone: it is kept for 15 days\. / }
      await assert.rejects(wholeWorkspace(world, job), gone)
      await sweepStored(world)
      await assert.rejects(wholeWorkspace(world, job), gone)
    })

    test('artifacts are paged, replaced by path, and have plain names', async () => {
      await using stand = await stage(database)
      const { world, app } = stand
      const { lease, job } = await stand.take()
      for (let i = 0; i < 25; i++) await saveArtifact(world, lease, `out/${i}`, bytes('x'))
      await saveArtifact(world, lease, 'out/3', bytes('again'))
      const first = await listArtifacts(app, job, undefined)
      const second = await listArtifacts(app, job, first.next ?? '')
      const paths = [...first.items, ...second.items].map(({ path }) => path)
      assert.deepEqual([first.items.length, second.items.length, second.next], [20, 5, null])
      assert.equal(new Set(paths).size, 25)
      for (const path of ['/a', 'a//b', '../a', 'a/./b', 'a\\b', 'a\nb', 'a/'])
        await assert.rejects(saveArtifact(world, lease, path, bytes('x')), { code: 'invalid' }, path)
    })

    test('small artifacts that came together are read, replaced and go each by itself, and their blob with the last', async () => {
      await using stand = await stage(database)
      const { world, it } = stand
      const { lease, job } = await stand.take()
      const together = (files: Readonly<Record<string, string>>) =>
        saveArtifacts(world, lease, {
          files: Object.entries(files).map(([path, words]) => ({ path, size: words.length })),
          bytes: Buffer.from(Object.values(files).join('')),
        })
      await together({ a: 'alpha', 'b/c': '', d: 'delta' })
      await saveArtifact(world, lease, 'a', bytes('again'))
      const wordsOf = async (path: string) => {
        const row = (await allArtifacts(world, job)).find((artifact) => artifact.path === path)
        const stored = storedAt(world, 'artifacts', row!)
        return [await text(await stored.read()), await text(await stored.read({ start: 1, end: 2 }))]
      }
      assert.deepEqual(await wordsOf('a'), ['again', 'ga'])
      assert.deepEqual(await wordsOf('d'), ['delta', 'el'])
      assert.equal((await wordsOf('b/c'))[0], '')
      assert.equal(await blobsOf(it, 'artifacts/'), 2)
      await together({ 'b/c': 'new', d: 'new' })
      assert.equal(await blobsOf(it, 'artifacts/'), 2)
      const long = new Date(noon)
      for (const { key } of await Array.fromAsync(world.blobs.list('artifacts/')))
        await utimes(join(it.folder, 'blobs', key), long, long)
      assert.equal(await sweepStrays(world), 0)
      it.wait(30 * dayMs)
      await sweepStored(world)
      assert.equal(await blobsOf(it, 'artifacts/'), 0)
      await assert.rejects(together({ '../a': 'x' }), { code: 'invalid' })
    })

    test('an archive that lies on our disk is taken and lent by a link, and asked for where it does not', async () => {
      await using stand = await stage(database)
      const { it } = stand
      const { lease } = await stand.take()
      const exchange = join(it.folder, 'exchange')
      mkdirSync(exchange)
      const near = { ...stand.world, foldersOf: () => join(it.folder, 'jobs') }
      const app = { ...stand.app, world: near }
      writeFileSync(join(exchange, 'in'), 'archive')
      assert.equal((await saveCache(app, lease, 'k', { file: 'in' })).saved, true)
      assert.equal((await saveCache(app, lease, 'k', { file: 'in' })).saved, false)
      assert.equal(await blobsOf(it, 'caches/'), 1)
      await saveLayer(near, lease, 0, { file: 'in' })
      rmSync(join(exchange, 'in'))
      const found = await findCache(near, lease, ['k'], true)
      const stored = await readCache(near, lease, found!.cache.id)
      assert.equal(await lend(near, lease, stored, 'out'), 7)
      assert.equal(readFileSync(join(exchange, 'out'), 'utf8'), 'archive')
      await assert.rejects(lend(near, lease, stored, 'out'), { code: 'conflict' })
      await assert.rejects(lend(stand.world, lease, stored, 'other'), { code: 'conflict' })
      await assert.rejects(saveCache(app, lease, 'l', { file: 'none' }), { code: 'conflict' })
      const small = { ...near, terms: { ...near.terms, storage: { ...near.terms.storage, mostStoredBytes: 3 } } }
      await assert.rejects(saveLayer(small, lease, 1, { file: 'out' }), { code: 'too-large' })
      assert.equal(await blobsOf(it, 'layers/'), 1)
    })

    test('what has been kept long enough goes, rows and blobs, and so does what no row names', async () => {
      await using stand = await stage(database)
      const { world, app, it } = stand
      const { lease, job } = await stand.take()
      await saveCache(app, lease, 'k', bytes('x'))
      await saveLayer(world, lease, 0, bytes('x'))
      await saveArtifact(world, lease, 'a', bytes('x'))
      const counts = () => Promise.all(['caches/', 'layers/', 'artifacts/'].map((prefix) => blobsOf(it, prefix)))
      it.wait(14 * dayMs)
      await sweepStored(world)
      assert.deepEqual(await counts(), [1, 1, 1])
      it.wait(dayMs)
      await sweepStored(world)
      assert.deepEqual(await counts(), [0, 0, 1])
      assert.equal((await allArtifacts(world, job)).length, 1)
      it.wait(15 * dayMs)
      await sweepStored(world)
      assert.deepEqual(await counts(), [0, 0, 0])

      await saveCache(app, lease, 'k', bytes('x'))
      await world.blobs.put('caches/stray', Buffer.from('x'))
      await world.blobs.put('caches/fresh', Buffer.from('x'))
      const long = new Date(noon)
      for (const { key } of await Array.fromAsync(world.blobs.list('caches/')))
        if (key !== 'caches/fresh') await utimes(join(it.folder, 'blobs', key), long, long)
      assert.equal(await sweepStrays(world), 1)
      assert.deepEqual(await counts(), [2, 0, 0])
    })
  })
}

async function terms() {
  await using it = await smallWorld('sqlite')
  return it.world.terms.storage
}
