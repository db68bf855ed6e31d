import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe } from 'node:test'
import { addProject } from '#contract/rh/projects.ts'
import { createReceiver, listHooks } from '#contract/rh/receivers.ts'
import { setPolling } from '#contract/rh/polling.ts'
import { newClone } from '#test/api/repository.ts'
import { openFake } from '#test/providers/fake-api.ts'
import { gitFolder } from '#test/providers/git-server.ts'
import { headersOf, payload } from '#test/providers/signed.ts'
import type { House } from './house.ts'
import { scenario } from './scenario.ts'
import { until } from './until.ts'
import { configOf, makeWitness } from './work.ts'

/** How many rows each table has. */
function rowsOf({ folder }: House): Readonly<Record<string, number>> {
  const db = new DatabaseSync(join(folder, 'roundhouse.db'), { readOnly: true })
  try {
    const tables = db.prepare("select name from sqlite_master where type = 'table' order by name").all()
    const names = tables.map(({ name }) => String(name))
    return Object.fromEntries(
      names.map((name) => [name, Number(db.prepare(`select count(*) as n from "${name}"`).get()?.['n'])]),
    )
  } finally {
    db.close()
  }
}

/** What the log says of hooks since a place in it. */
const saidSince = (house: House, from: number): readonly string[] =>
  house
    .output()
    .slice(from)
    .split('\n')
    .filter((line) => line.includes('A hook was'))

describe('hooks of a provider', () => {
  scenario(
    'that are forged, huge or unknown change nothing in a running server, and its log says why',
    async (stage) => {
      await using folder = await gitFolder()
      await using fake = await openFake('github', (request, response) => folder.answer(request, response))
      await using clone = await newClone()
      const house = await stage.house({ PROVIDER_A_URL: fake.url, REPOSITORY_HOSTS: '127.0.0.1' })
      await house.start()
      await folder.create('acme/web')
      const config = configOf({ only: { work: [{ name: 'short', lines: 1, waitMs: 1 }] } }, makeWitness(stage.folder))
      await clone.commit('Begin', { '.service/config.yml': config })
      const push = async () => {
        await clone.git('push', '--quiet', folder.pathOf('acme/web'), 'main')
        await folder.refresh('acme/web')
      }
      await push()
      const params = { provider: 'provider-a', org: 'acme', repo: 'web' }
      const url = `${fake.url}/acme/web.git`
      await house.rh(addProject, { body: { url, organization: 'acme', name: 'web', provider: 'provider-a' } })
      await house.rh(setPolling, { params, body: { every_seconds: 0 } })
      const receiver = await house.rh(createReceiver, { params })
      const body = payload('github-push')
      const send = async (to: string, secret: string, said: string, event = 'push') => {
        const headers = headersOf('provider-a', event, randomUUID(), secret, said)
        const request = { method: 'POST', headers, body: said, signal: AbortSignal.timeout(120_000) }
        const answer = await fetch(to, request).catch((error: unknown) => {
          // A server that does not want the rest may hang up before all of it was sent.
          if (said.length > 5_000_000 && error instanceof TypeError) return undefined
          throw error
        })
        await answer?.arrayBuffer()
        return answer?.status ?? 413
      }

      const before = rowsOf(house)
      const start = house.output().length
      const huge = JSON.stringify({ padding: 'x'.repeat(6_000_000) })
      assert.deepEqual(
        [
          await send(receiver.url, 'guessed', body),
          await send(receiver.url, receiver.secret, huge),
          await send(receiver.url, 'guessed', huge),
          await send(receiver.url.replace(/[^/]+$/, randomUUID()), receiver.secret, body),
          await send(receiver.url.replace('provider-a', 'provider-c'), receiver.secret, body),
        ],
        [401, 413, 413, 404, 404],
      )
      await sendHalf(receiver.url)
      assert.deepEqual(rowsOf(house), before)
      const words = saidSince(house, start).map((line) => /A hook was refused: [a-z ]+/.exec(line)?.[0])
      assert.deepEqual(words, [
        'A hook was refused: its signature or token is wrong',
        'A hook was refused: it is too large',
        'A hook was refused: it is too large',
        'A hook was refused: there is no such receiver',
        'A hook was refused: there is no such receiver',
      ])
      assert.doesNotMatch(house.output(), new RegExp(receiver.secret))

      const hooks = async () =>
        (await house.rh(listHooks, { params: { receiver_id: receiver.id }, query: {} })).items.toReversed()
      assert.deepEqual(
        [
          await send(receiver.url, receiver.secret, body, 'watch'),
          await send(receiver.url, receiver.secret, '{"ref":{}}'),
          await send(receiver.url, receiver.secret, 'no json'),
        ],
        [202, 202, 202],
      )
      const ended = await until('all hooks are settled', async () => {
        const all = await hooks()
        return all.length === 3 && all.every(({ state }) => state !== 'pending') ? all : undefined
      })
      assert.deepEqual(
        ended.map(({ state }) => state),
        ['ignored', 'failed', 'failed'],
      )
      // They are kept, to be looked at and replayed; and nothing came of them.
      assert.deepEqual(rowsOf(house), { ...before, hooks: 3 })
      assert.equal(saidSince(house, start).length, 8)

      // What was taken is done after a crash, whether it was begun or not.
      await clone.commit('Second', {})
      await push()
      assert.equal(await send(receiver.url, receiver.secret, body), 202)
      await house.kill()
      await house.start()
      await until('the push was built', async () => (rowsOf(house)['pipelines'] === 1 ? true : undefined))
      await until('the hook is done', async () => ((await hooks()).at(-1)?.state === 'done' ? true : undefined))
      assert.equal(rowsOf(house)['pipelines'], 1)
    },
  )
})

/** Announces more than it sends, and hangs up. */
async function sendHalf(to: string): Promise<void> {
  const { hostname, port, pathname } = new URL(to)
  const socket = connect(Number(port), hostname)
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(`POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 5000\r\n\r\n{"ref":`)
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.destroy()
  })
}
