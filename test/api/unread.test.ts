import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { openService, type Service } from './service.ts'

/** Says something on a connection of its own; `answer` is all that came when it ended, `soFar` what has come. */
function say({ base }: Service, text: string) {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  let heard = ''
  socket.setEncoding('utf8').on('data', (more) => (heard += String(more)))
  // One that is reset has said what it had to say before.
  socket.on('error', () => {})
  socket.write(text)
  return {
    soFar: () => heard,
    answer: async () => {
      if (!socket.closed) await once(socket, 'close', { signal: AbortSignal.timeout(180_000) })
      return heard
    },
    end: () => socket.destroy(),
  }
}

const headOf = ({ admin }: Service): string =>
  `Host: ci.example.com\r\nConnection: close\r\nService-Token: ${admin.token}\r\n`

/** `431 {"message":...}`. */
function told(answer: string): string {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  assert.match(head, /^content-type: application\/json/im)
  return `${head.split(' ')[1]} ${body}`
}

test('what is too long or is no request is answered with a message, repeats nothing, and changes nothing', async () => {
  await using service = await openService()
  const head = headOf(service)
  const long = (length: number) => `GET /api/v2/project/provider-a/acme/${'a'.repeat(length)} HTTP/1.1\r\n${head}\r\n`
  const post = (more: string) => `POST /api/v2/context HTTP/1.1\r\n${head}${more}`
  const tooLong = '431 {"message":"Cannot read the request: its address and headers are too long"}'
  const noHttp = '400 {"message":"Cannot read the request: it is no HTTP"}'
  for (const [request, answer] of [
    [long(10_000), '414 {"message":"Cannot read the address: a part of it is too long"}'],
    [long(100_000), tooLong],
    [`GET /api/v2/me?${'a'.repeat(100_000)} HTTP/1.1\r\n${head}\r\n`, tooLong],
    [`GET /api/v2/me HTTP/1.1\r\n${head}x: ${'a'.repeat(100_000)}\r\n\r\n`, tooLong],
    [`GET /api/v2/me HTTP/1.1\r\n${head}${'x: 1\r\n'.repeat(5_000)}\r\n`, tooLong],
    ['\u0016\u0003\u0001\u0002\r\n\r\n', noHttp],
    [`GET / HTTP/9.9\r\n${head}\r\n`, noHttp],
    [post('Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde'), noHttp],
    [post('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'), noHttp],
    [post('Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n'), noHttp],
  ] as const)
    assert.equal(told(await say(service, request).answer()), answer, request.slice(0, 100))
  // An address of 10 kB whose parts are short is like any other.
  const fine = await say(service, `GET /api/v2/me?x=${'a'.repeat(10_000)} HTTP/1.1\r\n${head}\r\n`).answer()
  assert.match(fine, /^HTTP\/1\.1 200 /)
  assert.deepEqual(await service.world.db.selectFrom('contexts').selectAll().execute(), [])
  assert.deepEqual(service.errors, [])
})

test('a body that does not come is not waited for, and nothing is done; one that is read as it comes may take its time', async () => {
  await using service = await openService({ edge: { bodyMs: 300 } })
  await service.push('acme/web', { 'a.txt': 'a' }, ['main'])
  const git = say(
    service,
    `POST /git/acme/web.git/git-receive-pack HTTP/1.1\r\n${headOf(service)}` +
      'Content-Type: application/x-git-receive-pack-request\r\nContent-Length: 1000\r\n\r\n00',
  )
  const json = `${headOf(service)}Content-Type: application/json\r\n`
  const owner = `"owner":{"slug":"provider-a/acme","type":"organization"}`
  for (const body of [
    `Content-Length: 1000\r\n\r\n{"name":"slow",${owner}}`,
    `Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\n`,
  ]) {
    const answer = await say(service, `POST /api/v2/context HTTP/1.1\r\n${json}${body}`).answer()
    assert.equal(told(answer), '408 {"message":"Cannot read the body: it did not come in time"}')
  }
  assert.equal(git.soFar(), '')
  git.end()
  assert.deepEqual(await service.world.db.selectFrom('contexts').selectAll().execute(), [])
  assert.deepEqual(service.errors, [])
})

test('what is told to anybody tells of nobody: neither names nor tokens', async () => {
  await using service = await openService()
  await service.push('hidden-organization/hidden-repository', { 'a.txt': 'a' }, ['hidden-branch'])
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    const answer = await fetch(service.base + path)
    const text = await answer.text()
    assert.equal(answer.status, 200, path)
    assert.equal(/hidden|admin|postgres:|sqlite|\/tmp\//i.test(text) || text.includes(service.admin.token), false, text)
  }
})
