import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { describe, test } from 'node:test'
import { inTime } from '#agent/testing/in-time.ts'
import { addUserSshKey, deleteUserSshKey } from '#contract/rh/ssh-keys.ts'
import { addSshUser, retryBuildWithSsh } from '#contract/v1/builds.ts'
import { cancelJob } from '#contract/v2/job.ts'
import { rerunWorkflow } from '#contract/v2/workflow.ts'
import { join, newPerson } from '#test/api/people.ts'
import { openService, type ServiceOptions } from '#test/api/service.ts'
import { lane } from '#test/lanes.ts'
import { sshPerson } from './ssh-client.ts'
import { watch } from './watch.ts'

const slug = { provider: 'provider-a', org: 'acme', repo: 'web' }
const named = { vcs: 'provider-a', org: 'acme', repo: 'web' }

const config = `version: 2.1
jobs:
  build:
    machine: true
    environment: { FROM_JOB: job }
    steps:
      - run: echo 'export FROM_STEP=step' >> $BASH_ENV
      - run: exit 3
workflows:
  main:
    jobs: [build]
`

/** A job that failed, run again with SSH by ada, whose key is registered. */
async function openJob(options: ServiceOptions = {}) {
  const service = await openService({ agentSlots: 1, ...options })
  const me = sshPerson()
  const ada = await newPerson(service.world, 'ada')
  const it = watch(service, 'web', ada.token)
  await service.push('acme/web', { '.service/config.yml': config }, ['main'], ada.token)
  const key = await service.call(addUserSshKey, { body: { public_key: me.publicKey } }, ada.token)
  const first = await it.workflowOf('main')
  const failed = await it.jobIs(first.id, 'build', 'failed')
  const body = { enable_ssh: true, jobs: [failed.id] }
  await it.workflowIs(first.id, first.pipeline_id, 'failed')
  const { workflow_id } = await service.call(rerunWorkflow, { params: { id: first.id }, body }, ada.token)
  // One that waits for nobody may be over before anybody looks.
  const job = await it.jobIs(workflow_id, 'build', 'running', 'failed')
  const address = await service.until(async () => {
    const [, port, at] = /ssh -p (\d+) (\S+)/.exec(await it.logOf(job.id, 'Enable SSH').catch(() => '')) ?? []
    return port === undefined || at === undefined ? undefined : ['-p', port, at]
  })
  return {
    ...it,
    service,
    me,
    ada,
    key,
    job,
    workflow: workflow_id,
    pipeline: first.pipeline_id,
    address,
    async [Symbol.asyncDispose]() {
      // Else an agent that is asked to end waits for visitors, ten minutes where a test failed in the middle.
      const params = { ...slug, job_number: job.job_number ?? 0 }
      await service.call(cancelJob, { params }, ada.token).catch(() => {})
      await service[Symbol.asyncDispose]()
      me[Symbol.dispose]()
    },
  }
}

describe('SSH into a job', { skip: lane('ssh').reason }, () => {
  test('whoever asked for it gets a shell where the steps ran, with what they had', async () => {
    await using it = await openJob()
    const { me, address, service, job } = it
    // The steps go on meanwhile: what they leave is there when they have ended.
    await service.until(async () => ((await it.logOf(job.id, 'Wait for SSH')) === '' ? undefined : true))
    const said = await me.run(address, 'echo $FROM_JOB $FROM_STEP $CIRCLE_JOB; basename $PWD; echo bad >&2; exit 7')
    assert.deepEqual(said, { code: 7, out: 'job step build\nproject\n', err: 'bad\n' })

    const typed = me.start(address)
    typed.write('cat\n')
    typed.write('x'.repeat(100_000) + '\n')
    typed.end()
    const { out, code } = await typed.said
    assert.deepEqual([out.length, code], [100_001, 0])

    const shell = me.start(address, '-tt')
    shell.write('stty rows 41 cols 121; stty size; echo $FROM_STEP-$TERM; exit 5\r')
    const terminal = await shell.said
    assert.match(terminal.out, /41 121\r\n/)
    assert.match(terminal.out, /step-\w+\r\n/)
    assert.equal(terminal.code, 5)
    const at = address.at(-1) ?? ''
    const [there, back] = [joinPath(me.folder, 'there'), joinPath(me.folder, 'back')]
    writeFileSync(there, 'carried\n')
    assert.equal((await me.carry('scp', address, ['-O', there, `${at}:sent`])).code, 0)
    assert.equal((await me.run(address, 'cat sent')).out, 'carried\n')
    const files = await me.carry('sftp', address, ['-b', '-', at], `get sent ${back}\n`)
    // The machine of the job has to have the program that serves files.
    if (existsSync('/usr/lib/openssh/sftp-server')) assert.equal(readFileSync(back, 'utf8'), 'carried\n', files.err)
    else assert.match(files.err, /there is no sftp-server here/)

    const { code: through } = await me.run(['-W', new URL(service.base).host, ...address])
    assert.equal(through, 255, 'Nobody may reach the network of the agent through the connection')
    assert.deepEqual(await it.statuses(it.workflow), { build: 'running' })
    await service.call(cancelJob, { params: { ...slug, job_number: job.job_number ?? 0 } }, it.ada.token)
  })

  test('nobody else comes in: no other key, no password, no key that was taken away; who is added does', async () => {
    await using it = await openJob()
    const { me, address, service, job } = it
    using other = sshPerson()
    const bob = await newPerson(service.world, 'bob')
    const bobs = await service.call(addUserSshKey, { body: { public_key: other.publicKey } }, bob.token)
    const refused = await other.run(address, 'true')
    assert.equal(refused.code, 255)
    assert.match(refused.err, /Permission denied \(publickey\)/)
    const [flag = '', port = '', at = ''] = address
    const elsewhere = `0123456789abcdef@${at.split('@')[1]}`
    assert.match((await me.run([flag, port, elsewhere], 'true')).err, /Permission denied \(publickey\)/)

    await join(service.world, bob, 'acme', 'member')
    const params = { ...named, build_num: job.job_number ?? 0 }
    const build = await service.call(addSshUser, { params }, bob.token)
    assert.deepEqual(
      build.ssh_users.map((user) => user['login']),
      ['ada', 'bob'],
    )
    assert.equal((await other.run(address, 'echo in')).out, 'in\n')
    await service.call(deleteUserSshKey, { params: { id: bobs.id } }, bob.token)
    assert.equal((await other.run(address, 'true')).code, 255)

    const { hostname, port: inside } = new URL(service.base)
    const forwarded = await me.run(address, '-W', `${hostname}:${inside}`)
    assert.equal(forwarded.code, 255)
    await service.call(cancelJob, { params: { ...slug, job_number: job.job_number ?? 0 } }, it.ada.token)
  })

  test('cancelling the job ends the visit, and what the visitor left running', async () => {
    await using it = await openJob()
    const { me, address, service, job } = it
    const shell = me.start(address, 'sleep 600 & echo $!; wait')
    const pid = await service.until(async () => Number(/^\d+\n/.exec(shell.out())?.[0] ?? 0) || undefined)
    await service.call(cancelJob, { params: { ...slug, job_number: job.job_number ?? 0 } }, it.ada.token)
    assert.notEqual((await shell.said).code, 0)
    assert.equal((await it.jobIs(it.workflow, 'build', 'canceled', 'failed')).status, 'canceled')
    await service.until(async () => {
      try {
        process.kill(pid, 0)
        return undefined
      } catch {
        return true
      }
    })
    assert.match((await me.run(address, 'true')).err, /refused|closed|reset/i)
  })

  test('a job waits while somebody is there, and ends by itself when nobody has been for a while', async () => {
    await inTime(3000, async (sshIdleMs) => {
      await using it = await openJob({ terms: { sshIdleMs }, agent: { ssh: { forwarding: true } } })
      const shell = it.me.start(it.address, 'cat')
      shell.write('here\n')
      const isIn = await it.service.until(async () => {
        if (shell.out() === 'here\n') return true
        return (await it.statuses(it.workflow))['build'] === 'running' ? undefined : false
      })
      // On a busy machine nobody comes so soon.
      if (!isIn) return undefined
      await it.service.until(async () =>
        (await it.logOf(it.job.id, 'Wait for SSH')).includes('1 connected') ? true : undefined,
      )
      // This agent lets its visitors reach what it reaches.
      const through = it.me.start(['-W', new URL(it.service.base).host, ...it.address])
      through.write('GET /healthz HTTP/1.0\r\n\r\n')
      assert.match((await through.said).out, /^HTTP\/1\.1 200 /)
      assert.deepEqual(await it.statuses(it.workflow), { build: 'running' })
      shell.end()
      assert.equal((await shell.said).code, 0)
      assert.equal((await it.jobIs(it.workflow, 'build', 'failed', 'success')).status, 'failed')
      assert.notEqual((await it.me.run(it.address, 'true')).code, 0)
      return true
    })
  })

  test('nobody stays for longer than is allowed', async () => {
    await using it = await openJob({ terms: { sshIdleMs: 60_000, sshLongestMs: 2_000 } })
    const shell = it.me.start(it.address, 'cat')
    assert.equal((await it.jobIs(it.workflow, 'build', 'failed', 'success')).status, 'failed')
    assert.notEqual((await shell.said).code, 0)
  })

  test('a job that had SSH has it again when it is run again, for whoever does that', async () => {
    await using it = await openJob({ terms: { sshIdleMs: 500 } })
    await it.jobIs(it.workflow, 'build', 'failed')
    const bob = await newPerson(it.service.world, 'bob')
    await join(it.service.world, bob, 'acme', 'member')
    const ended = await it.workflowIs(it.workflow, it.pipeline, 'failed')
    const body = { from_failed: true }
    const { workflow_id } = await it.service.call(rerunWorkflow, { params: { id: ended.id }, body }, bob.token)
    const again = await it.jobIs(workflow_id, 'build', 'failed')
    assert.match(await it.logOf(again.id, 'Enable SSH'), /ssh -p \d+ [^]*bob/)
  })

  test('generation 1.1 retries a build with SSH too', async () => {
    await using it = await openJob({ terms: { sshIdleMs: 500 } })
    await it.jobIs(it.workflow, 'build', 'failed')
    const params = { ...named, build_num: it.job.job_number ?? 0 }
    const made = await it.service.call(retryBuildWithSsh, { params }, it.ada.token)
    assert.deepEqual([made.why, made.ssh_enabled, made.ssh_users.length], ['ssh', true, 1])
  })
})
