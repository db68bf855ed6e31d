import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gitHost } from '#agent/testing/git-host.ts'
import { gitRepository } from '#agent/testing/repository.ts'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld } from '#agent/testing/world.ts'

/* Repositories that are closed where they are, and can be read through the server. */

const credential = 'key-of-this-job'
const look = run('git config remote.origin.url; git remote get-url origin; git remote get-url --push origin; cat file')

test('a repository that is closed is read through the server, and pushed to where it is', async () => {
  using origin = gitRepository()
  await using it = await smallWorld()
  await using closed = await gitHost(origin, async () => 'refuse')
  const bare = job([])
  const bearers: (string | undefined)[] = []
  await using server = await gitHost(origin, async (_, authorization) => {
    bearers.push(authorization)
    return 'serve'
  })
  const own = `${closed.url}acme/web.git`
  const checkout = origin.checkout({ url: closed.url + 'acme/web', through: { url: server.url, credential } })
  for (const before of ['true', 'git config --global user.name ada; git init -q .']) {
    const steps = [run(before), origin.step(), look]
    const { outcome, logs } = await it.play(job(steps, { checkout, token: bare.token }))
    assert.equal(outcome, 'success', logs.join(''))
    assert.match(logs[1]!, /does not open without a token: it is read through the server\n/)
    assert.equal(logs[2], `${own}\n${server.url}\n${own}\ntwo\n`)
  }
  assert.ok(bearers.every((authorization) => authorization === `Bearer ${bare.token}`))
  assert.ok(closed.asked.length > 0)
})

test('a repository that is open is fetched from where it is, and the credential stays out of the job', async () => {
  using origin = gitRepository()
  await using it = await smallWorld()
  await using open = await gitHost(origin, async () => 'serve')
  await using server = await gitHost(origin, async () => 'serve')
  const checkout = origin.checkout({ url: open.url, through: { url: server.url, credential } })
  const steps = [origin.step(), look, run('ls -A ~; git config --global --list')]
  const { outcome, logs } = await it.play(job(steps, { checkout }))
  assert.equal(outcome, 'success', logs.join(''))
  assert.equal(logs[1], `${`${open.url}\n`.repeat(3)}two\n`)
  assert.equal(logs[2], '.gitconfig\nproject\ngc.auto=0\n')
  assert.deepEqual(server.asked, [])
})

test('a host that the agent is not to ask is not asked: the server reads it', async () => {
  using origin = gitRepository()
  await using it = await smallWorld({}, { mirrors: { hosts: ['elsewhere.example'] } })
  await using open = await gitHost(origin, async () => 'serve')
  await using server = await gitHost(origin, async () => 'serve')
  const checkout = origin.checkout({ url: open.url, through: { url: server.url, credential } })
  const { outcome, logs } = await it.play(job([origin.step()], { checkout }))
  assert.equal(outcome, 'success', logs.join(''))
  assert.deepEqual(open.asked, [])
})
