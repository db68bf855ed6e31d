import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { gitRepository, type TestRepository } from '#agent/testing/repository.ts'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld } from '#agent/testing/world.ts'
import { hostOf, isAmong, isHost } from './hosts.ts'

async function listen(answer: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    asked,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Serves a repository as `/new.git`, and leads there from `/old.git`, on this host or on that one. */
const hostWith = ({ path, git }: TestRepository, other = '') => {
  git('update-server-info')
  return listen((request, response) => {
    const [file = '', query = ''] = (request.url ?? '').split('?')
    if (file.startsWith('/old.git/'))
      return void response.writeHead(301, { location: `${other}${file.replace('/old', '/new')}?${query}` }).end()
    const found = join(path, '.git', file.replace(/^\/new\.git/, ''))
    if (existsSync(found) && statSync(found).isFile()) response.end(readFileSync(found))
    else response.writeHead(404).end()
  })
}

/** How a checkout from an address ends, and what its log says. */
async function checkOut(origin: TestRepository, url: string, method: string, hosts?: readonly string[]) {
  await using it = await smallWorld({}, { mirrors: { hosts } })
  const spec = job([origin.step({ method }), run('cat file')], { checkout: origin.checkout({ url }) })
  const { outcome, logs } = await it.play(spec, 180_000)
  return `${outcome}: ${outcome === 'success' ? logs[1] : logs[0]}`
}

test('a repository that has moved is followed on its own host', async () => {
  using origin = gitRepository()
  await using host = await hostWith(origin)
  for (const method of ['full', 'shallow'])
    assert.equal(await checkOut(origin, `http://${host.host}/old.git`, method, ['127.0.0.1']), 'success: two\n')
  assert.ok(host.asked.some((path) => path.startsWith('/new.git/objects/')))
})

test('to another host nobody is led, unless the operator lists it', async () => {
  using origin = gitRepository()
  await using inside = await hostWith(origin)
  await using outside = await hostWith(origin, `http://${inside.host}`)
  const url = `http://${outside.host}/old.git`
  assert.match(
    await checkOut(origin, url, 'full'),
    new RegExp(`^failed: [^]*Cannot fetch from ${url}: it leads to another host, ${inside.host}\n`),
  )
  assert.deepEqual(inside.asked, [])
  assert.equal(await checkOut(origin, url, 'full', [outside.host, inside.host]), 'success: two\n')
})

test('an agent with a list of hosts asks no other', async () => {
  using origin = gitRepository()
  await using host = await hostWith(origin)
  const url = `http://${host.host}/new.git`
  assert.match(
    await checkOut(origin, url, 'full', ['git.example.com', '127.0.0.1:1']),
    new RegExp(
      `^failed: [^]*Cannot fetch from ${host.host}: this agent fetches from git.example.com, 127.0.0.1:1 only`,
    ),
  )
  assert.deepEqual(host.asked, [])
})

test('neither paths of the machine nor programs are fetched from', async () => {
  using origin = gitRepository()
  for (const url of [join(origin.path, '.git'), `file://${origin.path}/.git`, 'ext::touch%20/tmp/roundhouse-ext']) {
    assert.match(await checkOut(origin, url, 'full'), /^failed: [^]*transport '(?:file|ext)' not allowed/)
  }
  assert.equal(existsSync('/tmp/roundhouse-ext'), false)
})

test('the host of an address is found in each of its forms', () => {
  const forms = [
    'https://Ada@Git.Example.com/x.git',
    'ssh://git@h:22/x',
    'git@github.com:a/b.git',
    '[::1]:x',
    '/a/b:c',
    './x',
  ]
  assert.deepEqual(forms.map(hostOf), ['git.example.com', 'h:22', 'github.com', '[::1]', undefined, undefined])
  const hosts = ['git.example.com', 'h:22', '*.corp.example']
  const asked = [
    'git.example.com',
    'git.example.com:8443',
    'h',
    'h:22',
    'a.b.corp.example:1',
    'corp.example',
    'xcorp.example',
  ]
  assert.deepEqual(
    asked.filter((host) => isAmong(hosts, host)),
    ['git.example.com', 'git.example.com:8443', 'h:22', 'a.b.corp.example:1'],
  )
  assert.deepEqual(['a.b', 'a:1', '*.c', '[::1]:2', 'http://a', 'a/b', '-a', ''].filter(isHost), [
    'a.b',
    'a:1',
    '*.c',
    '[::1]:2',
  ])
})
