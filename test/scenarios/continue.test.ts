import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listPipelineWorkflows } from '#contract/v2/pipeline.ts'
import { rerunWorkflow } from '#contract/v2/workflow.ts'
import { newPerson } from '#test/api/people.ts'
import { openService } from '#test/api/service.ts'
import { watch } from './watch.ts'

const next = `version: 2.1
parameters: {word: {type: string, default: hi}}
jobs:
  build: {machine: true, steps: [{run: {name: say, command: 'echo "<< pipeline.parameters.word >>, key: \${CIRCLE_CONTINUATION_KEY:-none}"'}}]}
workflows: {main: {jobs: [build]}}
`

/** As the orbs do it that people use: a request with the key from the environment, and no other credential. */
const script = `
const { CIRCLE_CONTINUATION_KEY: key, SERVICE_CONTINUATION_KEY: same, BASE: base, NEXT: configuration } = process.env
const body = JSON.stringify({ 'continuation-key': key, configuration, parameters: { word: 'bye' } })
const headers = { 'content-type': 'application/json' }
const answer = await fetch(base + '/api/v2/pipeline/continue', { method: 'POST', headers, body })
console.log(key === same, answer.status, await answer.text(), 'leaked: ' + key)
`

test('a job of a setup continues its pipeline, and its key reaches no log and no other job', async () => {
  await using service = await openService({ agentSlots: 1 })
  const ada = await newPerson(service.world, 'ada')
  const { workflowOf, workflowIs, jobsOf, logOf, pipelines } = watch(service, 'web', ada.token)
  const setup = `version: 2.1
setup: true
jobs:
  make:
    machine: true
    environment: {BASE: ${JSON.stringify(service.base)}, NEXT: ${JSON.stringify(next.replaceAll('<<', '\\<<'))}}
    steps: [{run: {name: continue, command: ${JSON.stringify(`${process.execPath} --input-type=module -e "$SCRIPT"`)}, environment: {SCRIPT: ${JSON.stringify(script)}}}}]
workflows: {prepare: {jobs: [make]}}
`
  await service.push('acme/web', { '.service/config.yml': setup }, ['main'], ada.token)
  const prepare = await workflowOf('main')
  assert.deepEqual([prepare.name, prepare.tag], ['prepare', 'setup'])
  await workflowIs(prepare.id, prepare.pipeline_id, 'success', 'failed')
  const [make] = await jobsOf(prepare.id)
  assert.match(await logOf(make?.id ?? '', 'continue'), /^true 200 {"message":"Accepted."} leaked: (?!rhc_)\S+\s*$/m)
  await service.until(async () => ((await pipelines())[0]?.state === 'created' ? true : undefined))
  const { items } = await service.call(
    listPipelineWorkflows,
    { params: { pipeline_id: prepare.pipeline_id }, query: {} },
    ada.token,
  )
  const main = items.find(({ name }) => name === 'main')
  assert.ok(main)
  assert.equal((await workflowIs(main.id, main.pipeline_id, 'success', 'failed')).status, 'success')
  const [build] = await jobsOf(main.id)
  assert.match(await logOf(build?.id ?? '', 'say'), /bye, key: none/)
  // Run again, the setup finds that its pipeline has gone on.
  const { workflow_id: again } = await service.call(rerunWorkflow, { params: { id: prepare.id }, body: {} }, ada.token)
  await workflowIs(again, prepare.pipeline_id, 'success', 'failed')
  const [second] = await jobsOf(again)
  assert.match(await logOf(second?.id ?? '', 'continue'), /^true 409 {"message":"Pipeline is not in setup state."}/m)
})
