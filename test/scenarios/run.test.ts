import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { getJobPage } from '#contract/rh/job.ts'
import { cancelJob, getJob } from '#contract/v2/job.ts'
import { createVariable } from '#contract/v2/variable.ts'
import { newPerson } from '#test/api/people.ts'
import { openService } from '#test/api/service.ts'
import { followLog } from './follow-log.ts'
import { watch } from './watch.ts'

const slug = { provider: 'provider-a', org: 'acme', repo: 'web' }

const config = (...commands: readonly string[]) => `version: 2.1
jobs:
  build:
    machine: true
    environment: { FROM_JOB: job }
    steps:
${commands.map((command, index) => `      - run: { name: work ${index + 1}, command: ${JSON.stringify(command)} }\n`).join('')}
workflows:
  main:
    jobs: [build]
`

const isAlive = (pid: number): boolean => {
  // A process that has ended but was not waited for yet does nothing any more.
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
  return stat !== '' && !/\) [ZX] /.test(stat)
}

test('a running job that is canceled ends long before its steps would, with every process it began', async () => {
  await using service = await openService({ agentSlots: 1 })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'roundhouse-pids-'))
  const ada = await newPerson(service.world, 'ada')
  const { workflowOf, workflowIs, jobIs, statuses } = watch(service, 'web', ada.token)
  const pids = join(folder.path, 'pids')
  const command = `sleep 600 & echo $! > ${pids}.part; echo $$ >> ${pids}.part; mv ${pids}.part ${pids}; wait`
  await service.push('acme/web', { '.service/config.yml': config(command, 'echo never') }, ['main'], ada.token)
  const workflow = await workflowOf('main')
  const job = await jobIs(workflow.id, 'build', 'running')
  const started = await service.until(async () =>
    existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : undefined,
  )
  assert.deepEqual(started.map(isAlive), [true, true])
  await service.call(cancelJob, { params: { ...slug, job_number: job.job_number ?? 0 } }, ada.token)
  await service.until(async () => (started.some(isAlive) ? undefined : true))
  assert.equal((await workflowIs(workflow.id, workflow.pipeline_id, 'canceled', 'failed')).status, 'canceled')
  assert.deepEqual(await statuses(workflow.id), { build: 'canceled' })
  const { steps } = await service.call(getJobPage, { params: { id: job.id }, query: {} }, ada.token)
  assert.deepEqual(
    steps.map(({ status }) => status).filter((status) => status === 'success'),
    [],
  )
})

test('a job has its variables, and secrets never reach its log', async () => {
  await using service = await openService({ agentSlots: 1 })
  const ada = await newPerson(service.world, 'ada')
  const { workflowOf, workflowIs, jobsOf, logOf } = watch(service, 'web', ada.token)
  // The project is made by a push that builds nothing: variables come before the first build.
  await service.push('acme/web', { readme: 'x' }, ['first'], ada.token, 'Begin [skip ci]')
  await service.call(
    createVariable,
    { params: slug, body: { name: 'API_KEY', value: 'sup3r-s3cret-v4lue' } },
    ada.token,
  )
  const names = [
    'CI',
    'CIRCLECI',
    'FROM_JOB',
    'CIRCLE_BRANCH',
    'SERVICE_BRANCH',
    'CIRCLE_JOB',
    'CIRCLE_PROJECT_USERNAME',
    'CIRCLE_PROJECT_REPONAME',
    'SERVICE_BUILD_NUM',
    'CIRCLE_USERNAME',
    'CIRCLE_SHA1',
  ]
  const show = names.map((name) => `echo ${name}=$${name}`).join('; ')
  const leak =
    'echo "key: $API_KEY"; echo $API_KEY | base64; printf %s "$API_KEY" | head -c 6; sleep 0.3; printf %s "$API_KEY" | tail -c +7; echo; test "${#API_KEY}" = 18 && echo whole'
  const revision = await service.push(
    'acme/web',
    { '.service/config.yml': config(`${show}; ${leak}`) },
    ['main'],
    ada.token,
  )
  const workflow = await workflowOf('main')
  assert.equal((await workflowIs(workflow.id, workflow.pipeline_id, 'success', 'failed')).status, 'success')
  const [job] = await jobsOf(workflow.id)
  const log = await logOf(job?.id ?? '', 'work 1')
  const lines = log.split('\n').slice(0, names.length)
  assert.deepEqual(Object.fromEntries(lines.map((line) => line.split('=') as [string, string])), {
    CI: 'true',
    CIRCLECI: 'true',
    FROM_JOB: 'job',
    CIRCLE_BRANCH: 'main',
    SERVICE_BRANCH: 'main',
    CIRCLE_JOB: 'build',
    CIRCLE_PROJECT_USERNAME: 'acme',
    CIRCLE_PROJECT_REPONAME: 'web',
    SERVICE_BUILD_NUM: String(job?.job_number),
    CIRCLE_USERNAME: 'ada',
    CIRCLE_SHA1: revision,
  })
  assert.match(log, /whole\n$/)
  assert.doesNotMatch(log, /sup3r-s3cret-v4lue/)
  assert.doesNotMatch(log, new RegExp(Buffer.from('sup3r-s3cret-v4lue').toString('base64').slice(0, 20)))
  const details = await service.call(getJob, { params: { ...slug, job_number: job?.job_number ?? 0 } }, ada.token)
  assert.doesNotMatch(JSON.stringify(details), /sup3r/)
})

test('two readers who follow a log from its beginning and from its middle get the same bytes, live and afterwards', async () => {
  await using service = await openService({ agentSlots: 1 })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'roundhouse-gate-'))
  const ada = await newPerson(service.world, 'ada')
  const { workflowOf, workflowIs, jobIs, logOf } = watch(service, 'web', ada.token)
  const gate = join(folder.path, 'gate')
  const command = `for i in $(seq 1 2000); do echo "line $i ä"; done; for i in $(seq 1 600); do test -e ${gate} && break; sleep 0.1; done; printf '\\377\\000end'`
  await service.push('acme/web', { '.service/config.yml': config(command) }, ['main'], ada.token)
  const workflow = await workflowOf('main')
  const job = await jobIs(workflow.id, 'build', 'running')
  const path = `/api/rh/v1/job/${job.id}/step/0/follow`
  const readers = [followLog(service.base, path, ada.token), followLog(service.base, `${path}?from=1000`, ada.token)]
  // Both have seen what was written before the step goes on: they are live.
  await Promise.all(readers.map((reader) => reader.seen('line 2000')))
  writeFileSync(gate, '')
  const [whole, rest] = await Promise.all(readers.map((reader) => reader.ended))
  assert.ok(whole && rest)
  await workflowIs(workflow.id, workflow.pipeline_id, 'success')
  assert.ok(whole.bytes.subarray(1000).equals(rest.bytes))
  assert.equal(whole.size, whole.bytes.length)
  assert.ok(whole.bytes.toString('latin1').endsWith('\u00ff\u0000end'))
  const again = await followLog(service.base, path, ada.token).ended
  assert.ok(again.bytes.equals(whole.bytes))
  assert.equal(await logOf(job.id, 'work 1'), whole.bytes.toString('utf8'))
  const part = await service.ask({
    method: 'GET',
    path: `/api/rh/v1/job/${job.id}/step/0/log?from=5&to=16`,
    token: ada.token,
  })
  assert.equal(part.text, whole.bytes.subarray(5, 16).toString('utf8'))
})
