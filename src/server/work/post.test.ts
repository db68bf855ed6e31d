import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { test } from 'node:test'
import type { Post } from '#server/app/outgoing.ts'
import { selfSigned } from '#test/certificate.ts'
import { poster } from './post.ts'

const hosts = ['127.0.0.1', 'localhost']

const postTo = (url: string, verifyTls = true): Post => ({
  url,
  verifyTls,
  headers: { 'Content-Type': 'application/json' },
  body: '{}',
})

async function listening(server: ReturnType<typeof createSocketServer>, scheme: string) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=b`,
    async [Symbol.asyncDispose]() {
      if ('closeAllConnections' in server) (server.closeAllConnections as () => void)()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const receiver = (answer: RequestListener) => listening(createServer(answer), 'http')

async function senders() {
  const http = poster(hosts, 4)
  return { ...http, [Symbol.asyncDispose]: async () => void (await http.close()) }
}

test('a certificate that nobody vouches for is refused, unless the webhook says not to look', async () => {
  let requests = 0
  const server = createTlsServer(selfSigned(), (_, response) => {
    requests++
    response.end('ok')
  })
  await using place = await listening(server, 'https')
  await using http = await senders()
  const refused = await http.send(postTo(place.url))
  assert.match('error' in refused ? refused.error : '', /self-signed certificate/)
  assert.equal(requests, 0)
  assert.deepEqual(await http.send(postTo(place.url, false)), { status: 200, text: 'ok' })
  assert.ok('error' in (await http.send(postTo(place.url))), 'what was trusted once is not trusted for others')
})

test('a redirect is an answer, and is not followed', async () => {
  const seen: string[] = []
  await using place = await receiver((request, response) => {
    seen.push(request.url ?? '')
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  await using http = await senders()
  assert.deepEqual(await http.send(postTo(place.url)), { status: 307 })
  assert.deepEqual(seen, ['/hook?a=b'])
})

test('who says nothing for five seconds has not answered, and an answer without an end counts by its status', async () => {
  await using silent = await receiver(() => {})
  await using endless = await receiver((_, response) => {
    response.writeHead(201).write('and so on')
    response.on('drain', () => response.write('x'))
  })
  await using huge = await receiver((_, response) => void response.writeHead(200).end(Buffer.alloc(5_000_000, 'y')))
  await using http = await senders()
  const [none, unfinished, large] = await Promise.all([silent, endless, huge].map(({ url }) => http.send(postTo(url))))
  assert.deepEqual(none, { error: 'No answer within 5 s' })
  assert.deepEqual(unfinished, { status: 201, text: 'and so on' })
  assert.deepEqual(large, { status: 200, text: 'y'.repeat(2_000) })
})

test('a connection that the receiver closes as a request comes is not its answer: it is made once more', async () => {
  const sockets: Socket[] = []
  let requests = 0
  const server = createSocketServer((socket) => {
    sockets.push(socket)
    let mine = 0
    socket.on('error', () => {})
    socket.on('data', () => {
      requests++
      // One request is answered on each connection; at the second it is gone.
      if (mine++ === 0) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      else socket.destroy()
    })
  })
  await using place = await listening(server, 'http')
  await using http = await senders()
  for (let i = 0; i < 3; i++) assert.deepEqual(await http.send(postTo(place.url)), { status: 200 })
  assert.ok(requests > 3, `Some of ${requests} requests found their connection closed`)
  for (const socket of sockets) socket.destroy()
})

test('an address inside our own network that nobody allowed is not reached, however it is written', async () => {
  let requests = 0
  await using place = await receiver((_, response) => {
    requests++
    response.end()
  })
  const http = poster([], 4)
  for (const url of [place.url, place.url.replace('http:', 'https:'), place.url.replace('127.0.0.1', 'localhost')]) {
    const answer = await http.send(postTo(url))
    assert.match('error' in answer ? answer.error : '', /^Cannot use the url/)
  }
  await http.close()
  assert.equal(requests, 0)
})
