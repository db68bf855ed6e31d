import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { serveGit } from './http-backend.ts'
import { commit, git, gitHost, temporaryFolder, workingCopy } from './lab.ts'
import { refsOf } from './refs.ts'
import { createBare } from './repositories.ts'

/** An empty repository behind a host, and a working copy with one commit and that host as its origin. */
async function lab(terms: Parameters<typeof gitHost>[1] = {}) {
  const stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryFolder())
  const [bare, work] = [join(folder.path, 'x.git'), join(folder.path, 'work')]
  await createBare(bare)
  await mkdir(work)
  const host = stack.use(await gitHost(folder.path, terms))
  const first = await workingCopy(work)
  await git(work, 'remote', 'add', 'origin', `${host.url}/x.git`)
  return { folder: folder.path, bare, work, first, host, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const refused = (push: Promise<string>, pattern: RegExp) =>
  assert.rejects(push, (error: Error & { stderr?: string }) => pattern.test(error.stderr ?? ''))

describe('a git client', () => {
  test('finds an empty repository empty', async () => {
    await using it = await lab()
    assert.equal(await git(it.work, 'ls-remote', 'origin'), '')
    assert.deepEqual(await refsOf(it.bare), { head: 'main', refs: new Map() })
  })

  test('pushes several branches and tags at once, and clones them back', async () => {
    await using it = await lab()
    const second = await commit(it.work, 'second')
    await git(it.work, 'tag', 'light')
    await git(it.work, 'tag', '-a', '-m', 'heavy', 'heavy', it.first)
    await git(it.work, 'push', '--quiet', 'origin', 'main', `${it.first}:refs/heads/feature/a`, 'light', 'heavy')
    const refs = [
      ['refs/heads/feature/a', it.first],
      ['refs/heads/main', second],
      ['refs/tags/heavy', it.first],
      ['refs/tags/light', second],
    ] as const
    assert.deepEqual([...(await refsOf(it.bare)).refs], refs)
    await git(it.folder, 'clone', '--quiet', `${it.host.url}/x.git`, 'copy')
    assert.equal(await git(join(it.folder, 'copy'), 'log', '--format=%s'), 'second\nfirst')
    assert.equal(await git(join(it.folder, 'copy'), 'branch', '--show-current'), 'main')
  })

  test('forces a branch back and deletes another', async () => {
    await using it = await lab()
    const second = await commit(it.work, 'second')
    await git(it.work, 'push', '--quiet', 'origin', 'main', 'main:gone')
    await git(it.work, 'push', '--quiet', '--force', 'origin', `${it.first}:main`, ':gone')
    assert.deepEqual([...(await refsOf(it.bare)).refs], [['refs/heads/main', it.first]])
    assert.notEqual(second, it.first)
  })

  test('pushes and fetches more than fits into one piece', async () => {
    await using it = await lab()
    // Larger than the client's buffer, so that it asks first and then sends in chunks.
    await writeFile(join(it.work, 'noise'), randomText(3_000_000))
    await commit(it.work, 'large')
    await git(it.work, '-c', 'http.postBuffer=65536', 'push', '--quiet', 'origin', 'main')
    await git(it.folder, 'clone', '--quiet', `${it.host.url}/x.git`, 'copy')
    assert.equal(
      await git(join(it.folder, 'copy'), 'rev-parse', 'HEAD:noise'),
      await git(it.work, 'rev-parse', 'HEAD:noise'),
    )
  })

  test('may compress what it asks', async () => {
    await using it = await lab()
    for (let n = 0; n < 25; n++) await git(it.work, 'update-ref', `refs/heads/b${n}`, await commit(it.work, `c${n}`))
    await git(it.work, 'push', '--quiet', 'origin', '--all')
    await git(it.folder, '-c', 'protocol.version=0', 'clone', '--quiet', `${it.host.url}/x.git`, 'copy')
    assert.ok(it.host.seen.includes('POST git-upload-pack gzip'), it.host.seen.join())
  })

  test('may send options with a push, which change nothing', async () => {
    await using it = await lab()
    await git(it.work, 'push', '--quiet', '--push-option=ci.skip', 'origin', 'main')
    assert.equal((await refsOf(it.bare)).refs.get('refs/heads/main'), it.first)
  })

  test('fetches a single commit without its history', async () => {
    await using it = await lab()
    await commit(it.work, 'second')
    await git(it.work, 'push', '--quiet', 'origin', 'main')
    await git(it.folder, 'init', '--quiet', 'copy')
    const copy = join(it.folder, 'copy')
    await git(copy, 'fetch', '--quiet', '--depth=1', '--filter=blob:none', `${it.host.url}/x.git`, it.first)
    assert.equal(await git(copy, 'log', '--format=%s', 'FETCH_HEAD'), 'first')
  })
})

/** Text that does not get smaller when it is packed. */
const randomText = (length: number) => randomBytes(Math.ceil((length * 3) / 4)).toString('base64')

test('a revision can still be fetched after its branch was forced elsewhere, by old clients too', async () => {
  await using it = await lab()
  const lost = await commit(it.work, 'lost')
  await git(it.work, 'push', '--quiet', 'origin', 'main')
  await git(it.work, 'push', '--quiet', '--force', 'origin', `${it.first}:main`)
  for (const version of [0, 2]) {
    const copy = join(it.folder, `copy${version}`)
    await git(it.folder, 'init', '--quiet', copy)
    await git(copy, '-c', `protocol.version=${version}`, 'fetch', '--quiet', `${it.host.url}/x.git`, lost)
    assert.equal(await git(copy, 'rev-parse', 'FETCH_HEAD'), lost)
  }
})

describe('a push', () => {
  test('runs no hook, whatever lies in the repository', async () => {
    await using it = await lab()
    const mark = join(it.folder, 'hook-ran')
    for (const hook of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction']) {
      await mkdir(join(it.bare, 'hooks'), { recursive: true })
      await writeFile(join(it.bare, 'hooks', hook), `#!/bin/sh\ntouch '${mark}'\n`)
      await chmod(join(it.bare, 'hooks', hook), 0o755)
    }
    await git(it.work, 'push', '--quiet', 'origin', 'main')
    assert.equal(existsSync(mark), false)
  })

  test('to anything but branches and tags is refused, and its user is told', async () => {
    await using it = await lab()
    for (const ref of ['refs/notes/x', 'refs/pull/1/head', 'refs/heads/-x', 'refs/tags/--exec', 'refs/replace/x']) {
      await refused(
        git(it.work, 'push', 'origin', `main:${ref}`),
        /Cannot push to "refs\/.*": only to branches and tags of ordinary names/,
      )
    }
    assert.equal((await refsOf(it.bare)).refs.size, 0)
  })

  test('by somebody who may only read is refused, and reading is not', async () => {
    await using it = await lab({ mayPush: false })
    await refused(git(it.work, 'push', 'origin', 'main'), /403/)
    assert.equal(await git(it.work, 'ls-remote', 'origin'), '')
  })

  test('that is larger than allowed is refused', async () => {
    await using it = await lab({ maxPushBytes: 10_000 })
    await writeFile(join(it.work, 'noise'), randomText(100_000))
    await commit(it.work, 'large')
    await refused(
      git(it.work, 'push', 'origin', 'main'),
      /exceeds maximum allowed size|unpack-objects abnormal exit|index-pack abnormal exit/,
    )
    assert.equal((await refsOf(it.bare)).refs.size, 0)
  })

  test('of broken objects is refused', async () => {
    await using it = await lab()
    const tree = await git(it.work, 'rev-parse', 'HEAD^{tree}')
    await writeFile(join(it.folder, 'bad'), `tree ${tree}\nauthor nobody\ncommitter nobody\n\nbad\n`)
    const bad = await git(it.work, 'hash-object', '-t', 'commit', '-w', '--literally', join(it.folder, 'bad'))
    await refused(git(it.work, 'push', 'origin', `${bad}:refs/heads/bad`), /fsck error|missingEmail|abnormal exit/)
  })
})

describe('a request that no git client makes', () => {
  const ask = (over: object) => ({
    repository: '/nowhere/x.git',
    service: 'info/refs' as const,
    query: 'service=git-upload-pack',
    method: 'GET',
    headers: {},
    body: Readable.from([]),
    mayPush: true,
    ...over,
  })
  const { signal } = new AbortController()

  test('is refused before git is asked', async () => {
    await assert.rejects(serveGit(ask({ query: '' }), signal), { code: 'invalid' })
    await assert.rejects(serveGit(ask({ query: 'service=git-upload-archive' }), signal), { code: 'invalid' })
    await assert.rejects(serveGit(ask({ method: 'POST' }), signal), { code: 'invalid' })
    await assert.rejects(serveGit(ask({ service: 'git-receive-pack', method: 'GET' }), signal), { code: 'invalid' })
  })

  test('finds no repository where there is none', async () => {
    const answer = await serveGit(ask({}), signal)
    answer.body.resume()
    assert.equal(answer.status, 404)
    await answer.done
  })

  test('cannot hide a bad name by compressing it, or by stopping in the middle', async () => {
    await using it = await lab()
    const zeros = '0'.repeat(40)
    const line = `${zeros} ${it.first} refs/heads/-x\0report-status side-band-64k`
    const push = `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`
    const told = async (body: Buffer, encoding: string) => {
      const headers = { 'content-type': 'application/x-git-receive-pack-request', 'content-encoding': encoding }
      const answer = await serveGit(
        ask({ repository: it.bare, service: 'git-receive-pack', method: 'POST', headers, body: Readable.from([body]) }),
        signal,
      )
      return Buffer.concat(await answer.body.toArray()).toString()
    }
    assert.match(await told(gzipSync(push), 'gzip'), /Cannot push to "refs\/heads\/-x"/)
    assert.match(await told(Buffer.from(push.slice(0, 40)), ''), /it ends in the middle/)
    assert.match(await told(Buffer.from('zzzz'), ''), /a line has no length/)
  })
})

test('a reader who goes away stops git', async () => {
  await using it = await lab()
  await writeFile(join(it.work, 'noise'), randomText(5_000_000))
  await commit(it.work, 'large')
  await git(it.work, 'push', '--quiet', 'origin', 'main')
  const head = await git(it.work, 'rev-parse', 'HEAD')
  const want = `want ${head} side-band-64k\n`
  const body = `${(want.length + 4).toString(16).padStart(4, '0')}${want}00000009done\n`
  const headers = { 'content-type': 'application/x-git-upload-pack-request' }
  const request = {
    repository: it.bare,
    service: 'git-upload-pack' as const,
    query: '',
    method: 'POST',
    headers,
    mayPush: false,
  }
  const answer = await serveGit({ ...request, body: Readable.from([Buffer.from(body)]) }, AbortSignal.timeout(120_000))
  answer.body.destroy()
  await assert.rejects(answer.done, { name: 'GitFailure' })
})
