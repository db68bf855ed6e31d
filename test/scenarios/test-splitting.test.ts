import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readLog } from '#contract/rh/log.ts'
import { getJobPage } from '#contract/rh/job.ts'
import { rerunFailedTests } from '#contract/rh/failed-tests.ts'
import { listPipelineWorkflows, triggerPipeline } from '#contract/v2/pipeline.ts'
import { addressOf } from '#test/api/ask.ts'
import { tempFolder } from '#agent/testing/world.ts'
import { newPerson } from '#test/api/people.ts'
import { openService } from '#test/api/service.ts'
import { watch } from './watch.ts'

const slug = { provider: 'provider-a', org: 'acme', repo: 'web' }

const config = `version: 2.1
jobs:
  build:
    machine: true
    parallelism: 2
    steps:
      - checkout
      - run: { name: tests, command: 'mkdir spec out; touch spec/one spec/two spec/three spec/four' }
      - run:
          name: play
          command: circleci tests glob "spec/*" | circleci tests run --command="xargs sh play" --split-by=timings
      - store_test_results: { path: out }
workflows: { main: { jobs: [build] } }
`

/** Plays four tests, of which `one` takes as long as the others together, and `two` fails where the gate is not there. */
const script = (gate: string) => `for file; do
  echo "played $file"
  time=1; [ "$file" = spec/one ] && time=3
  bad=; [ "$file" = spec/two ] && [ ! -e ${gate} ] && bad='<failure message="no"/>'
  case="<testcase classname=\\"c\\" name=\\"$file\\" file=\\"$file\\" time=\\"$time\\">$bad</testcase>"
  echo "<testsuite>$case</testsuite>" >out/$(basename $file).xml
  [ -z "$bad" ] || failed=1
done
exit \${failed:-0}
`

test('tests are split by what they took in earlier runs, and a rerun of failed tests plays only those', async () => {
  await using service = await openService({ agentSlots: 2 })
  const ada = await newPerson(service.world, 'ada')
  const eyes = watch(service, 'web', ada.token)
  using folder = tempFolder()
  const gate = join(folder.path, 'open')
  writeFileSync(gate, '')
  await service.push('acme/web', { '.service/config.yml': config, play: script(gate) }, ['main'], ada.token)

  const played = async (id: string, pipeline: string, status: string) => {
    await eyes.workflowIs(id, pipeline, status)
    const [job] = await eyes.jobsOf(id)
    const nodes = [0, 1].map(async (node) => {
      const page = await service.call(getJobPage, { params: { id: job!.id }, query: { node } }, ada.token)
      const index = page.steps.find(({ name }) => name === 'play')?.index ?? -1
      const path = addressOf(readLog, { id: job!.id, index }, { node })
      const { text } = await service.ask({ method: 'GET', path, token: ada.token })
      return [...text.matchAll(/^played spec\/(\w+)$/gm)].map(([, name]) => name).toSorted()
    })
    return Promise.all(nodes)
  }

  const next = async () => {
    const { id } = await service.call(triggerPipeline, { params: slug, body: {} }, ada.token)
    return service.until(async () => {
      const { items } = await service.call(listPipelineWorkflows, { params: { pipeline_id: id }, query: {} }, ada.token)
      return items[0]
    })
  }

  const first = await eyes.workflowOf('main')
  assert.deepEqual(await played(first.id, first.pipeline_id, 'success'), [
    ['four', 'three'],
    ['one', 'two'],
  ])
  const second = await next()
  assert.deepEqual(await played(second.id, second.pipeline_id, 'success'), [['one'], ['four', 'three', 'two']])

  rmSync(gate)
  const third = await next()
  assert.equal((await played(third.id, third.pipeline_id, 'failed')).flat().length, 4)
  const again = await service.call(rerunFailedTests, { params: { id: third.id } }, ada.token)
  assert.deepEqual((await played(again.workflow_id, third.pipeline_id, 'failed')).flat(), ['two'])
  writeFileSync(gate, '')
  const last = await service.call(rerunFailedTests, { params: { id: again.workflow_id } }, ada.token)
  assert.deepEqual((await played(last.workflow_id, third.pipeline_id, 'success')).flat(), ['two'])
})
