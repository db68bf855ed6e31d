import assert from 'node:assert/strict'
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { claim, givenAgent, givenWorkflow } from '#test/given.ts'
import { databases, noon, smallWorld, type SmallWorld } from '#test/world.ts'
import { openApp } from './app.ts'
import { finishJob } from './finish-job.ts'
import { reclaim } from './leases.ts'
import { appendLog, showLog, WrongOffset } from './logs.ts'
import { packSome } from './pending.ts'
import { readLog } from './read-log.ts'

const folder = '0123456789abcdef'

/** An agent whose files the server can look into, with a job whose first step has said something. */
async function neighbour(it: SmallWorld, text: string) {
  const world = { ...it.world, foldersOf: () => it.folder }
  const given = await givenWorkflow(it, 'build')
  const [held] = await claim(it, await givenAgent(it))
  assert.ok(held)
  const file = join(it.folder, folder, 'step-0.out')
  await mkdir(join(it.folder, folder))
  await writeFile(file, text)
  const { app } = it
  return {
    given,
    held,
    file,
    show: (start: number, at: number, size: number, crc = 0) =>
      showLog(world, app.bodyOf, held.lease, 0, { start, size, folder, at, crc }),
    send: (start: number, bytes: string) =>
      appendLog(world, app.bodyOf, held.lease, 0, {
        start,
        size: bytes.length,
        bytes: Readable.from([Buffer.from(bytes)]),
      }),
    read: async (from = 0) => Buffer.concat(await Array.fromAsync(readLog(world, held.job.id, 0, from))).toString(),
    pack: () => packSome(openApp(world)),
  }
}

for (const database of databases) {
  describe(`logs that are shown instead of sent on ${database}`, () => {
    test('windows of the file and bytes that were sent make one log, also when the file is gone', async () => {
      await using it = await smallWorld(database)
      const agent = await neighbour(it, 'open secret open')
      assert.equal(await agent.show(0, 0, 5), 5)
      assert.equal(await agent.send(5, '******'), 11)
      await appendFile(agent.file, ' end')
      assert.equal(await agent.show(11, 11, 9, crc32('open ****** open end')), 20)
      await rm(agent.file)
      const whole = 'open ****** open end'
      assert.deepEqual(
        [await agent.read(), await agent.read(3), await agent.read(13)],
        [whole, whole.slice(3), whole.slice(13)],
      )
      const step = {
        index: 0,
        status: 'success',
        startedAt: noon,
        endedAt: noon,
        exitCode: 0,
        logSize: 20,
        logCrc: crc32(whole),
      }
      await finishJob(it.world, it.app.bodyOf, agent.held.lease, { outcome: 'success', reason: null, steps: [step] })
      assert.equal(await agent.pack(), true)
      assert.deepEqual([await agent.read(), await agent.read(13)], [whole, whole.slice(13)])
      assert.equal(await it.world.blobs.size(`live/${agent.held.job.id}/0/spool`), undefined)
    })

    test('a window that does not begin where the log ends is answered with where it does', async () => {
      await using it = await smallWorld(database)
      const agent = await neighbour(it, 'hello world')
      await agent.show(0, 0, 5)
      await assert.rejects(agent.show(0, 0, 5), (error: unknown) => error instanceof WrongOffset && error.offset === 5)
    })

    test('an agent whose files cannot be seen is asked to send the bytes', async () => {
      await using it = await smallWorld(database)
      const { held, file, show } = await neighbour(it, 'hello')
      const window = { start: 0, size: 5, folder, at: 0, crc: 0 }
      await assert.rejects(showLog(it.world, it.app.bodyOf, held.lease, 0, window), { code: 'conflict' })
      await rm(file)
      await assert.rejects(show(0, 0, 5), { code: 'conflict' })
    })

    test('an agent that has lost the job shows nothing more', async () => {
      await using it = await smallWorld(database)
      const agent = await neighbour(it, 'hello world')
      await agent.show(0, 0, 5)
      it.wait(it.world.terms.leaseMs + 1)
      await reclaim(it.world)
      await assert.rejects(agent.show(5, 5, 6), { code: 'unauthenticated' })
      assert.equal(await agent.read(), 'hello')
    })
  })
}
