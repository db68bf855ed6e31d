import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { pause } from '#kit/backoff.ts'
import { mannerOf } from '../bin/manner.mjs'

const { environment, flags } = mannerOf('up')

const root = join(import.meta.dirname, '..')
const token = 'program-token-0123456789abcdef'

test('the program as it is put together builds its sample', { timeout: 180_000 }, async () => {
  const name = `test-${process.pid}`
  const data = mkdtempSync(join(tmpdir(), 'roundhouse-program-'))
  const url = `http://127.0.0.1:${await freePort()}`
  execFileSync(process.execPath, [join(root, 'tool', 'bundle.ts'), name], { stdio: 'inherit' })
  const child = spawn(process.execPath, [...flags, join(root, 'dist', name, 'roundhouse.js'), 'up'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...environment,
      ROUNDHOUSE_DATA: data,
      ROUNDHOUSE_LISTEN: new URL(url).host,
      ROUNDHOUSE_ADMIN_TOKEN: token,
    },
  })
  let output = ''
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()))
  try {
    const deadline = Date.now() + 150_000
    const statuses: string[] = []
    while (!statuses.includes('success') && Date.now() < deadline && child.exitCode === null) {
      await pause(200)
      const answer = await fetch(`${url}/api/v1.1/recent-builds`, {
        headers: { 'circle-token': token, accept: 'application/json' },
      }).catch(() => undefined)
      const builds = answer?.ok ? ((await answer.json()) as readonly { readonly status: string }[]) : []
      statuses.splice(0, statuses.length, ...builds.map(({ status }) => status))
    }
    assert.ok(statuses.includes('success'), `${statuses.join(', ')}\n${output}`)
    assert.doesNotMatch(output, /started again/)
  } finally {
    child.kill('SIGTERM')
    await ended
    rmSync(data, { recursive: true, force: true })
    rmSync(join(root, 'dist', name), { recursive: true, force: true })
  }
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('scripts have names of their own and lie beside what reads them, as the program has them all in one folder', () => {
  const scripts = globSync('src/**/*.sh', { cwd: root }).map((path) => basename(path))
  assert.equal(new Set(scripts).size, scripts.length)
  for (const path of globSync(['src/**/*.ts', 'bin/**/*.ts'], { cwd: root })) {
    for (const [, url = ''] of readFileSync(join(root, path), 'utf8').matchAll(
      /new URL\('([^']+\.sh)', import\.meta/g,
    )) {
      assert.match(url, /^\.\/[\w-]+\.sh$/, path)
    }
  }
})
