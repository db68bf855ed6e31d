import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveJob } from '#contract/v2/workflow.ts'
import { newPerson } from '#test/api/people.ts'
import { openService } from '#test/api/service.ts'
import { watch } from './watch.ts'

const job = (name: string, command: string) =>
  `  ${name}:\n    machine: true\n    steps:\n      - run: { name: work, command: ${JSON.stringify(command)} }\n`

test('jobs wait for what they require, for approval and for their branch, and a missing context opens nothing', async () => {
  await using service = await openService({ agentSlots: 2 })
  const ada = await newPerson(service.world, 'ada')
  const { workflowOf, workflowIs, statuses, jobsOf, jobIs } = watch(service, 'web', ada.token)
  const config = `version: 2.1
jobs:
${job('first', 'echo one')}${job('second', 'echo two')}${job('deploy', 'echo three')}${job('secret', 'echo four')}${job('release', 'echo five')}
workflows:
  main:
    jobs:
      - first
      - second: { requires: [first] }
      - hold: { type: approval, requires: [second] }
      - deploy: { requires: [hold] }
      - release: { filters: { branches: { only: release } } }
  closed:
    when: { equal: [closed, << pipeline.git.branch >>] }
    jobs:
      - secret: { context: [nowhere] }
      - first: { requires: [secret] }
`
  await service.push('acme/web', { '.service/config.yml': config }, ['main', 'release', 'closed'], ada.token)
  const workflow = await workflowOf('main')
  await workflowIs(workflow.id, workflow.pipeline_id, 'on_hold', 'failed')
  assert.deepEqual(await statuses(workflow.id), {
    first: 'success',
    second: 'success',
    hold: 'on_hold',
    deploy: 'blocked',
  })
  const jobs = await jobsOf(workflow.id)
  const [first, second, hold] = ['first', 'second', 'hold'].map((name) => jobs.find((one) => one.name === name))
  assert.deepEqual(second?.dependencies, [first?.id])
  assert.ok((second?.started_at ?? '') >= (first?.stopped_at ?? 'never'))
  await service.call(approveJob, { params: { id: workflow.id, approval_request_id: hold?.id ?? '' } }, ada.token)
  await workflowIs(workflow.id, workflow.pipeline_id, 'success')
  assert.deepEqual(await statuses(workflow.id), {
    first: 'success',
    second: 'success',
    hold: 'success',
    deploy: 'success',
  })

  const released = await workflowOf('release')
  assert.equal((await jobIs(released.id, 'release', 'success', 'failed')).status, 'success')

  const closed = (
    await service.until(async () => {
      const found = await service.world.db.selectFrom('workflows').selectAll().where('name', '=', 'closed').execute()
      return found.length > 0 ? found : undefined
    })
  )[0]
  assert.equal(
    (await workflowIs(closed?.id ?? '', closed?.pipeline_id ?? '', 'unauthorized', 'failed', 'success')).status,
    'unauthorized',
  )
  assert.deepEqual(await statuses(closed?.id ?? ''), { secret: 'unauthorized', first: 'not_run' })
})

test('a job that fails keeps what requires it from running, and the rest runs to its end', async () => {
  await using service = await openService({ agentSlots: 2 })
  const ada = await newPerson(service.world, 'ada')
  const { workflowOf, workflowIs, statuses } = watch(service, 'web', ada.token)
  const config = `version: 2.1
jobs:
${job('bad', 'exit 3')}${job('good', 'true')}${job('after', 'true')}
workflows:
  main:
    jobs:
      - bad
      - good
      - after: { requires: [bad] }
`
  await service.push('acme/web', { '.service/config.yml': config }, ['main'], ada.token)
  const workflow = await workflowOf('main')
  assert.equal((await workflowIs(workflow.id, workflow.pipeline_id, 'success', 'failed')).status, 'failed')
  assert.deepEqual(await statuses(workflow.id), { bad: 'failed', good: 'success', after: 'not_run' })
})
