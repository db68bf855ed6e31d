import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { JobSpec, StepSpec } from '#contract/agent.ts'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld, tempFolder } from '#agent/testing/world.ts'

const checkout = (more: object = {}) =>
  ({ type: 'checkout', name: 'Checkout code', when: 'on_success', method: 'full', ...more }) as StepSpec

const world = () => smallWorld({}, { mirrors: { allowFiles: true } })

const folder = tempFolder()
process.on('exit', () => folder[Symbol.dispose]())
const origin = join(folder.path, 'origin')
let [first, second] = ['', '']

function git(...words: string[]): string {
  const who = ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', ['-C', origin, ...who, ...words], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder.path },
  }).trim()
}

before(() => {
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', origin])
  const commit = (text: string) => {
    writeFileSync(join(origin, 'file'), text)
    git('add', '.')
    git('commit', '--quiet', '-m', `say ${text}`)
    return git('rev-parse', 'HEAD')
  }
  first = commit('one')
  git('tag', 'v1')
  second = commit('two')
})

const of = (revision: string, more: Partial<JobSpec['checkout']> = {}): JobSpec['checkout'] => ({
  url: `file://${origin}`,
  revision,
  branch: 'main',
  tag: null,
  with_job_token: false,
  private_key: null,
  ...more,
})

for (const method of ['full', 'blobless', 'shallow'] as const) {
  test(`brings a revision of a branch, ${method}`, async () => {
    await using it = await world()
    const spec = job(
      [checkout({ method }), run('cat file; echo; git symbolic-ref --short HEAD; git status --porcelain')],
      { checkout: of(first) },
    )
    const { outcome, logs } = await it.play(spec)
    assert.equal(outcome, 'success', logs[0])
    assert.match(logs[0]!, new RegExp(`HEAD is now at ${first.slice(0, 7)} say one\n$`))
    assert.equal(logs[1], 'one\nmain\n')
  })
}

test('brings a tag, into a path, and fetches into what is already there', async () => {
  await using it = await world()
  const fetchInto = run(
    `git init -q --initial-branch=x ~/project/sub && git -C ~/project/sub config core.hooksPath hooks`,
  )
  const spec = job([fetchInto, checkout({ path: 'sub' }), run('cat sub/file; git -C sub describe --tags')], {
    checkout: of(first, { branch: null, tag: 'v1' }),
  })
  const { outcome, logs } = await it.play(spec)
  assert.equal(outcome, 'success', logs[1])
  assert.match(logs[1]!, /^Fetching into the existing repository\n/)
  assert.equal(logs[2], 'onev1\n')
})

test('does not check out over files that are no repository', async () => {
  await using it = await world()
  const { outcome, logs } = await it.play(job([run('touch .hidden'), checkout()], { checkout: of(second) }))
  assert.equal(outcome, 'failed')
  assert.match(logs[1]!, /Cannot check out into .*\/project: it holds other files and is not a git repository\n/)
})

test('does not check out into what is no directory, or cannot be one', async () => {
  await using it = await world()
  for (const path of ['file', 'file/below', '/dev/null/none']) {
    const steps = [run('touch file'), checkout({ path })]
    const { outcome, statuses, logs } = await it.play(job(steps, { checkout: of(second) }))
    assert.deepEqual([outcome, ...statuses], ['failed', 'success', 'failed'])
    assert.match(logs[1]!, /Cannot check out into /)
  }
})

test('nothing of the user reaches a checkout: no variable, no hook, no configuration', async () => {
  await using it = await world()
  const trap = 'touch ~/trapped'
  const environment = {
    BASH_ENV: '/tmp/none',
    ENV: '/tmp/none',
    GIT_SSH_COMMAND: trap,
    GIT_DIR: '/nowhere',
    PATH: '/nowhere',
    LD_PRELOAD: '/nowhere.so',
    GIT_TRACE: '1',
  }
  const home = `mkdir -p ~/hooks && printf '#!/bin/sh\n${trap}\n' >~/hooks/post-checkout && chmod +x ~/hooks/post-checkout && git config --global core.hooksPath ~/hooks`
  const prepare = run(home, { environment: { PATH: process.env['PATH'] ?? '', LD_PRELOAD: '' } })
  prepare.environment['GIT_DIR'] = ''
  const { outcome, logs } = await it.play(
    job([{ ...prepare, command: `unset GIT_DIR; ${home}` }, checkout(), run('[ ! -e ~/trapped ]')], {
      checkout: of(second),
      environment,
    }),
  )
  assert.equal(outcome, 'success', logs.join('\n'))
  assert.match(logs[1]!, /^Cloning git repository\nFetching .*\nChecking out branch main\nHEAD is now at .*\n$/)
})

test('refuses what git would take for an option', async () => {
  await using it = await world()
  for (const wrong of [
    of(first, { branch: '--upload-pack=x' }),
    of('HEAD'),
    of(first, { url: '--x' }),
    of(first, { tag: 'a..b' }),
  ]) {
    const { outcome, logs } = await it.play(job([checkout()], { checkout: wrong }))
    assert.equal(outcome, 'failed')
    assert.match(logs[0]!, /^Cannot check out as the .* is not valid: /)
  }
})

test('the job token opens a repository over HTTP and is left nowhere', async () => {
  await using it = await world()
  git('update-server-info')
  const spec = job([checkout(), run('cat file; cat .git/config; git config --list')])
  await using host = await gitHost(spec.token)
  const { outcome, logs } = await it.play({
    ...spec,
    checkout: of(second, { url: `${host.url}/.git`, with_job_token: true }),
  })
  assert.equal(outcome, 'success', logs[0])
  assert.match(logs[1]!, /^two\[core\]/)
  assert.doesNotMatch(logs[1]!, /\*\*\*\*|Authorization/)
})

/** Serves the files of the repository to whoever shows the token: enough for git to fetch. */
async function gitHost(token: string) {
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end()
    const path = join(origin, new URL(request.url ?? '/', 'http://host').pathname)
    if (existsSync(path)) response.end(readFileSync(path))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
