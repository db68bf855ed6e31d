import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { storeTests } from '#contract/agent/tests.ts'
import { listTests } from '#contract/v1/tests.ts'
import { listJobTests } from '#contract/v2/job.ts'
import { databases } from '#test/world.ts'
import { addressOf } from './ask.ts'
import { newHand } from './hand.ts'
import { newPerson, type Person } from './people.ts'
import { formatted } from '#server/api/v1/formatted.ts'
import { readEdn } from './read-edn.ts'
import { openService, type Service } from './service.ts'

const config =
  'version: 2.1\njobs:\n  build:\n    machine: true\n    steps: [{run: make}]\nworkflows:\n  main:\n    jobs: [build]\n'
const v1 = { vcs: 'github', org: 'acme', repo: 'web' }
const v2 = { provider: 'provider-a', org: 'acme', repo: 'web' }

const told = (name: string, more: object = {}) => ({
  classname: 'Sums',
  name,
  file: 'sums.js',
  source: 'unit',
  result: 'success' as const,
  message: '',
  run_time: 0.25,
  ...more,
})

for (const database of databases) {
  describe(`test results over HTTP on ${database}`, () => {
    let pushes = 0
    let service: Service
    let ada: Person
    let hand: Awaited<ReturnType<typeof newHand>>
    before(async () => {
      service = await openService({ database })
      ada = await newPerson(service.world, 'ada')
      hand = await newHand(service)
    })
    after(() => service[Symbol.asyncDispose]())

    /** Plays a build that brings these batches, and gives its number. */
    async function build(...batches: readonly { tests: readonly object[]; bytes?: number; problems?: string[] }[]) {
      await service.push('acme/web', { '.service/config.yml': config }, [`branch-${(pushes += 1)}`], ada.token)
      const [job] = await hand.claim()
      assert.ok(job)
      for (const [batch, { tests, bytes = 10, problems = [] }] of batches.entries()) {
        const body = { batch, tests: [...tests] as ReturnType<typeof told>[], bytes, problems }
        await service.call(storeTests, { params: { id: job.id, index: 0 }, body }, job.token)
      }
      await hand.finish(job, 'success')
      return job.number
    }
    const page = (job_number: number, token?: string) =>
      service.call(
        listJobTests,
        { params: { ...v2, job_number }, query: token === undefined ? {} : { 'page-token': token } },
        ada.token,
      )
    const old = (build_num: number) => service.call(listTests, { params: { ...v1, build_num } }, ada.token)

    test('both generations tell each test, the older one null for what is not known', async () => {
      const number = await build({
        tests: [told('adds'), told('fails', { result: 'failure', message: 'was 3', file: '', classname: '' })],
        problems: ['x.xml: broken'],
      })
      const common = { source: 'unit', run_time: 0.25 }
      const adds = { ...common, name: 'adds', classname: 'Sums', file: 'sums.js', result: 'success' }
      const fails = { ...common, name: 'fails', result: 'failure', message: 'was 3' }
      assert.deepEqual(await page(number), {
        items: [
          { ...adds, message: '' },
          { ...fails, file: '', classname: '' },
        ],
        next_page_token: null,
      })
      const type = { source_type: 'unit' }
      assert.deepEqual(await old(number), {
        tests: [
          { ...adds, ...type, message: null },
          { ...fails, ...type, file: null, classname: null },
        ],
        exceptions: ['x.xml: broken'],
      })
    })

    test('pages follow each other without gap or repetition; a token of another job is refused', async () => {
      const names = Array.from({ length: 45 }, (_, i) => `test ${i}`)
      const number = await build(
        { tests: names.slice(0, 30).map((name) => told(name)) },
        { tests: names.slice(30).map((name) => told(name)) },
      )
      const pages = [await page(number)]
      for (
        let next = pages[0]!.next_page_token;
        next !== null && pages.length < 10;
        next = pages.at(-1)!.next_page_token
      )
        pages.push(await page(number, next))
      assert.deepEqual(
        pages.map(({ items }) => items.length),
        [20, 20, 5],
      )
      assert.deepEqual(
        pages.flatMap(({ items }) => items.map(({ name }) => name)),
        names,
      )
      const other = await build({ tests: [told('a')] })
      const path = addressOf(
        listJobTests,
        { ...v2, job_number: other },
        { 'page-token': pages[0]!.next_page_token ?? '' },
      )
      assert.equal((await service.ask({ method: 'GET', path, token: ada.token })).status, 404)
    })

    test('a job with more than 250 MB of reports tells no tests', async () => {
      const [just, more] = [
        await build({ tests: [told('a')], bytes: 250_000_000 }),
        await build({ tests: [told('a')], bytes: 250_000_000 }, { tests: [told('b')], bytes: 1 }),
      ]
      assert.deepEqual([(await page(just)).items.length, (await old(just)).tests.length], [1, 1])
      assert.deepEqual(await page(more), { items: [], next_page_token: null })
      assert.deepEqual(await old(more), { tests: [], exceptions: null })
    })

    test('the older generation writes a long list in each of its forms as it writes a short one', async () => {
      const some = (from: number) => ({ tests: Array.from({ length: 250 }, (_, i) => told(`"${from + i}"\n`)) })
      const number = await build(...Array.from({ length: 9 }, (_, i) => some(i * 250)))
      const path = addressOf(listTests, { ...v1, build_num: number })
      const asked = async (accept?: string) =>
        service.ask({ method: 'GET', path, token: ada.token, headers: accept === undefined ? {} : { accept } })
      const compact = await asked('application/json')
      const value = JSON.parse(compact.text) as { readonly tests: readonly { readonly name: string }[] }
      assert.equal(new Set(value.tests.map(({ name }) => name)).size, 2250)
      assert.equal(compact.text, JSON.stringify(value))
      assert.equal((await asked('*/*')).text, formatted(value))
      const edn = await asked()
      assert.equal(edn.headers['content-type'], 'application/edn; charset=utf-8')
      assert.deepEqual(readEdn(edn.text), value)
    })

    test('a build without tests has an empty list in each form', async () => {
      const number = await build()
      const path = addressOf(listTests, { ...v1, build_num: number })
      const text = async (headers: Record<string, string>) =>
        (await service.ask({ method: 'GET', path, token: ada.token, headers })).text
      assert.deepEqual(
        [await text({ accept: 'application/json' }), await text({ accept: 'text/html' }), await text({})],
        [
          '{"tests":[],"exceptions":null}',
          '{\n  "tests" : [ ],\n  "exceptions" : null\n}',
          '{:tests [], :exceptions nil}',
        ],
      )
    })
  })
}
