import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getJobPage } from '#contract/rh/job.ts'
import { readLog } from '#contract/rh/log.ts'
import { getBuild } from '#contract/v1/builds.ts'
import { getJob } from '#contract/v2/job.ts'
import { addressOf } from '#test/api/ask.ts'
import { newPerson } from '#test/api/people.ts'
import { openService, type Service } from '#test/api/service.ts'
import { watch } from './watch.ts'

const slug = { provider: 'provider-a', org: 'acme', repo: 'web' }

const config = (work: string) => `version: 2.1
jobs:
  build:
    machine: true
    parallelism: 3
    steps:
      - run: { name: who, command: 'echo "node $CIRCLE_NODE_INDEX of $SERVICE_NODE_TOTAL"' }
      - run: { name: work, command: ${JSON.stringify(work)} }
      - deploy: { name: ship, command: echo shipped by $CIRCLE_NODE_INDEX }
workflows:
  main:
    jobs: [build]
`

/** Runs a job of three nodes to its end, on fewer slots than it has nodes where so many are given. */
async function played(service: Service, work: string) {
  const ada = await newPerson(service.world, 'ada')
  const { workflowOf, workflowIs, jobsOf } = watch(service, 'web', ada.token)
  await service.push('acme/web', { '.service/config.yml': config(work) }, ['main'], ada.token)
  const { id, pipeline_id } = await workflowOf('main')
  const { status } = await workflowIs(id, pipeline_id, 'success', 'failed')
  const [job] = await jobsOf(id)
  const number = job?.job_number ?? 0
  const details = await service.call(getJob, { params: { ...slug, job_number: number } }, ada.token)
  const params = { vcs: 'provider-a', org: 'acme', repo: 'web', build_num: number }
  const build = await service.call(getBuild, { params }, ada.token)
  const logOf = async (node: number, index: number) => {
    const path = addressOf(readLog, { id: job?.id ?? '', index }, { node })
    return (await service.ask({ method: 'GET', path, token: ada.token })).text
  }
  const page = (node: number) => service.call(getJobPage, { params: { id: job?.id ?? '' }, query: { node } }, ada.token)
  return { status, details, build, logOf, page }
}

for (const slots of [3, 1]) {
  test(`three nodes on ${slots} slots each do all of the work, and the first deploys when all have succeeded`, async () => {
    await using service = await openService({ agentSlots: slots })
    const { status, details, build, logOf, page } = await played(service, 'true')
    assert.equal(status, 'success')
    assert.deepEqual(
      [details.parallelism, details.parallel_runs],
      [3, [0, 1, 2].map((index) => ({ index, status: 'success' }))],
    )
    assert.equal(build.parallel, 3)
    const shown = build.steps.filter(({ name }) => ['who', 'work', 'ship'].includes(name))
    assert.deepEqual(
      shown.map(({ name, actions }) => [name, actions.map(({ index, parallel }) => [index, parallel])]),
      [
        ['who', [0, 1, 2].map((index) => [index, true])],
        ['work', [0, 1, 2].map((index) => [index, true])],
        ['ship', [[0, true]]],
      ],
    )
    const { steps } = await page(0)
    const [who, ship] = ['who', 'ship'].map((name) => steps.find((step) => step.name === name)?.index ?? -1)
    assert.deepEqual(await Promise.all([0, 1, 2].map((node) => logOf(node, who!))), [
      'node 0 of 3\n',
      'node 1 of 3\n',
      'node 2 of 3\n',
    ])
    assert.equal(await logOf(0, ship!), 'shipped by 0\n')
  })
}

test('one node that fails spoils the job and keeps the first from deploying', async () => {
  await using service = await openService({ agentSlots: 3 })
  const { status, details, page } = await played(service, 'test "$CIRCLE_NODE_INDEX" != 1')
  assert.equal(status, 'failed')
  assert.deepEqual(
    details.parallel_runs.map((run) => run.status),
    ['success', 'failed', 'success'],
  )
  const first = await page(0)
  assert.equal(first.steps.find(({ name }) => name === 'ship')?.status, 'skipped')
  assert.deepEqual(
    first.nodes.map((node) => node.status),
    ['success', 'failed', 'success'],
  )
})
