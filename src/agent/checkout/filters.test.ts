import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { gitHost } from '#agent/testing/git-host.ts'
import { gitRepository, type TestRepository } from '#agent/testing/repository.ts'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld } from '#agent/testing/world.ts'

/* Checkouts of parts from hosts that give a repository whole, or leave files out and give none of them later. */

/** Serves a repository as a host does that speaks the smart protocol, in its first version unless told otherwise. */
async function smartHost({ path, git }: TestRepository, settings: Readonly<Record<string, string>>, version: string) {
  for (const [key, value] of Object.entries(settings)) git('config', key, value)
  const running = new Set<ChildProcess>()
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host')
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: `${path}/.git`,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_PROTOCOL: version,
        PATH_INFO: pathname,
        QUERY_STRING: searchParams.toString(),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      },
    })
    running.add(child)
    child.once('close', () => running.delete(child))
    child.stdin.on('error', () => {})
    request.pipe(child.stdin)
    let answer = Buffer.alloc(0)
    child.stdout.on('data', (bytes: Buffer) => (answer = Buffer.concat([answer, bytes])))
    child.stdout.once('end', () => {
      const end = answer.indexOf('\r\n\r\n')
      for (const line of answer.subarray(0, end).toString().split('\r\n')) {
        const [name = '', ...value] = line.split(': ')
        if (name === 'Status') response.statusCode = Number.parseInt(value[0] ?? '', 10)
        else response.setHeader(name, value.join(': '))
      }
      response.end(answer.subarray(end + 4))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      const gone = [...running].map((child) => once(child, 'close'))
      for (const child of running) child.kill('SIGKILL')
      await Promise.all(gone)
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const look = run(
  'cat file dir/deep; git log --format=%s; git show HEAD^:file; git config remote.origin.promisor || echo whole',
)
const all = /^two\ndeep\nsay two\nsay one\none\n/

const hosts: Readonly<Record<string, readonly [Readonly<Record<string, string>>, string, RegExp, string]>> = {
  'does not know of filters': [{ 'uploadpack.allowFilter': 'false' }, 'version=2', /HEAD is now at/, 'true'],
  'takes none of our filters': [
    { 'uploadpack.allowFilter': 'true', 'uploadpackfilter.allow': 'false' },
    'version=2',
    /not supported.*\nNo files can be left out: fetching all of it\n/s,
    'whole',
  ],
  'gives no files by their names': [
    { 'uploadpack.allowFilter': 'true' },
    'version=0',
    /No files can be left out: fetching all of it\n/,
    'whole',
  ],
}
for (const [what, [settings, version, said, kind]] of Object.entries(hosts)) {
  test(`a blobless checkout from a host that ${what} has all that it needs`, async () => {
    using origin = gitRepository()
    await using host = await smartHost(origin, settings, version)
    await using it = await smallWorld()
    const checkout = origin.checkout({ url: host.url })
    for (const before of ['true', 'git init -q .']) {
      const steps = [run(before), origin.step({ method: 'blobless' }), look]
      const { outcome, logs } = await it.play(job(steps, { checkout }))
      assert.equal(outcome, 'success', logs.join(''))
      assert.match(logs[1]!, said)
      assert.match(logs[2]!, all)
      assert.ok(logs[2]!.endsWith(`${kind}\n`), logs[2])
    }
  })
}

for (const method of ['blobless', 'shallow'])
  test(`a ${method} checkout from a host that serves only files is whole, and asks for nothing twice`, async () => {
    using origin = gitRepository()
    await using host = await gitHost(origin, async () => 'serve')
    await using it = await smallWorld()
    const checkout = origin.checkout({ url: host.url })
    const { outcome, logs } = await it.play(job([origin.step({ method }), look], { checkout }))
    assert.equal(outcome, 'success', logs.join(''))
    assert.match(logs[0]!, /serves only files\nNo files can be left out: fetching all of it\n/)
    assert.match(logs[1]!, all)
    const objects = host.asked.filter((file) => /^\/objects\/[0-9a-f]{2}\//.test(file))
    assert.deepEqual(objects, [...new Set(objects)])
  })
