import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ask, CloudAway } from './ask.ts'

/** A cloud on this machine that answers as it is told to. */
async function cloudThat(answers: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answers(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    question: { url: new URL(`http://127.0.0.1:${port}/`), headers: {}, body: 'who am I?' },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const never = new AbortController().signal

for (const [what, answers] of Object.entries({
  'does not answer': () => {},
  'stops in the middle of its answer': (response: ServerResponse) => void response.write('{"half":'),
})) {
  test(`a cloud that ${what} is given up, which is told as its absence`, async () => {
    await using cloud = await cloudThat(answers)
    await assert.rejects(
      ask(cloud.question, { signal: never, patienceMs: 200 }),
      new CloudAway(`Cannot reach ${cloud.host}: no answer within 0.2 s`),
    )
  })
}

test('a job that is stopped waits for no cloud, and hears why it was stopped', async () => {
  const stop = new AbortController()
  await using cloud = await cloudThat(() => stop.abort(new Error('Canceled')))
  await assert.rejects(ask(cloud.question, { signal: stop.signal }), new Error('Canceled'))
})

test('a cloud that talks without end is cut off', async () => {
  await using cloud = await cloudThat((response) => {
    const more = () => {
      while (response.write('x'.repeat(10_000)));
      response.once('drain', more)
    }
    more()
  })
  await assert.rejects(
    ask(cloud.question, { signal: never }),
    new CloudAway(`Cannot reach ${cloud.host}: its answer is longer than 65536 bytes`),
  )
})

test('a cloud that is not there is named', async () => {
  const { host, question } = await (async () => {
    await using cloud = await cloudThat(() => {})
    return cloud
  })()
  await assert.rejects(ask(question, { signal: never }), (error: unknown) => {
    assert.ok(error instanceof CloudAway)
    assert.match(error.message, new RegExp(`^Cannot reach ${host}: .*ECONNREFUSED`))
    return true
  })
})
