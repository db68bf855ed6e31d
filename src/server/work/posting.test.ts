import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Post } from '#server/app/outgoing.ts'
import { posting } from './posting.ts'

/** A receiver that gets what is posted, answers with the status that is asked for, and hangs up on `0`. */
async function openReceiver() {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(request.url ?? '')
    const status = Number(request.url?.slice(1))
    if (status === 0) response.destroy()
    else response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    received,
    posts: (...statuses: number[]): readonly Post[] =>
      statuses.map((status) => ({ url: `${origin}/${status}`, verifyTls: true, headers: {}, body: '{}' })),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function openPosting(hosts = ['127.0.0.1']) {
  const made = posting(hosts, 4)
  return { ...made, [Symbol.asyncDispose]: made.close }
}

test('a round is made in its order and ends with the first request that gets no answer', async () => {
  await using receiver = await openReceiver()
  await using http = openPosting()
  const posted = await http.post({ posts: receiver.posts(200, 500, 404, 0, 201), forMs: 60_000 })
  assert.deepEqual(
    posted.map(({ answer }) => ('status' in answer ? answer.status : 'none')),
    [200, 500, 404, 'none'],
  )
  // Asked once more, on a new connection, as it might have been the old one's end.
  assert.deepEqual(receiver.received, ['/200', '/500', '/404', '/0', '/0'])
  const times = posted.map(({ afterMs, tookMs }) => [afterMs, afterMs + tookMs])
  for (const [i, [began = 0, ended = 0]] of times.entries()) {
    assert.ok(began <= ended)
    if (i > 0) assert.ok((times[i - 1]?.[1] ?? 0) <= began, 'one after another')
  }
})

test('no request begins when its time is over, nor after the service was told to stop', async () => {
  await using receiver = await openReceiver()
  await using http = openPosting()
  assert.deepEqual(await http.post({ posts: receiver.posts(200), forMs: -1 }), [])
  http.stop()
  assert.deepEqual(await http.post({ posts: receiver.posts(200), forMs: 60_000 }), [])
  assert.deepEqual(receiver.received, [])
})

test('the guard holds in the thread as well', async () => {
  await using receiver = await openReceiver()
  await using http = openPosting([])
  const [refused] = await http.post({ posts: receiver.posts(200), forMs: 60_000 })
  assert.match(refused && 'error' in refused.answer ? refused.answer.error : '', /^Cannot use the url/)
  assert.deepEqual(receiver.received, [])
})
