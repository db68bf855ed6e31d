import assert from 'node:assert/strict'
import { prefixes } from '#contract/catalog.ts'
import { client } from '#contract/client.ts'
import { listTests } from '#contract/rh/tests.ts'
import { addSshKey } from '#contract/v1/ssh-keys.ts'
import { listJobArtifacts } from '#contract/v2/job.ts'
import { newKeyPair } from '#server/vcs/keys.ts'
import { type House, token } from './house.ts'
import { makeProject, story } from './project.ts'
import { scenario } from './scenario.ts'
import { until } from './until.ts'

const cases = 3000

/** A step of every kind that needs no engine; every name is what a step is killed by. */
const config = `version: 2.1
jobs:
  make:
    machine: true
    steps:
      - checkout: { name: checkout, path: code }
      - run: { name: behind, background: true, command: "while :; do echo tick | tee -a ~/ticks; sleep 0.1; done" }
      - run:
          name: make
          command: |
            echo begun >> ~/begun
            mkdir -p big results && head -c 24M /dev/urandom > big/random && sha256sum big/random > sums
            { echo '<testsuite>'; seq -f '<testcase classname="c" name="t%.0f" time="0.1"/>' 1 ${cases}; echo '</testsuite>'; } > results/junit.xml
      - add_ssh_keys: { name: keys }
      - save_cache: { name: save, key: "v1", paths: [big] }
      - persist_to_workspace: { name: persist, root: ., paths: [big, sums] }
      - store_artifacts: { name: store, path: big }
      - store_test_results: { name: tests, path: results }
      - run:
          name: look
          command: |
            test "$(cat ~/begun)" = begun && test -d code/.git && grep -q example.com ~/.ssh/config
            ticks=$(wc -l < ~/ticks); while [ $(wc -l < ~/ticks) -le $ticks ]; do sleep 0.05; done
            wc -l < ~/ticks
  use:
    machine: true
    steps:
      - attach_workspace: { name: attach, at: . }
      - run: { name: attached, command: sha256sum -c sums && rm -r big }
      - restore_cache: { name: restore, key: "v1" }
      - run: { name: restored, command: sha256sum -c sums }
workflows: { main: { jobs: [make, use: { requires: [make] }] } }
`

const kills = {
  // Behind all of them another one runs.
  make: ['checkout', 'make', 'keys', 'save', 'persist', 'store', 'tests'],
  use: ['attach', 'restore'],
} as const

/** What the job has left behind, each once. */
async function kept(house: House, id: string, job_number: number) {
  const params = { provider: 'provider-a', org: 'chaos', repo: 'work', job_number }
  const artifacts = (await house.v2(listJobArtifacts, { params, query: {} })).items
  const { total } = await house.rh(listTests, { params: { id }, query: {} })
  return { artifacts: artifacts.map(({ path }) => path), tests: total }
}

scenario(
  'an agent that is killed in a step of any kind goes on with it, or does it again, and all is there once',
  async (stage) => {
    const house = await stage.house()
    await house.start()
    const project = await makeProject(house, stage.folder, config)
    const params = { vcs: 'provider-a', org: 'chaos', repo: 'work' }
    await client(house.url + prefixes.v1, token)(addSshKey, {
      params,
      body: { hostname: 'example.com', private_key: newKeyPair().privateKey },
    })
    const worker = await stage.worker(house, 'worker', 1)
    worker.start()
    const { id } = await project.trigger()
    for (const [job, steps] of Object.entries(kills)) {
      for (const step of steps) {
        // Most often it is killed in the middle. On a machine that stands still the step may be over before anybody looks.
        let looks = 0
        const isPast = async () =>
          ++looks % 500 === 0 && (await project.runsOf(id))[0]?.jobs.some((one) => one.name === job && one.stopped_at)
        const hasBegun = async () => worker.hasBegun(job, step) || (await isPast()) || undefined
        await until(`step ${step} of ${job} has begun`, hasBegun, 180_000, 1)
        await worker.kill()
        worker.start()
      }
    }
    const run = await project.ended(id)
    const [make] = run.jobs
    assert.deepEqual(
      run.jobs.map(({ name, status }) => `${name} ${status}`),
      ['make success', 'use success'],
      story([run]),
    )
    assert.deepEqual(await kept(house, make?.id ?? '', make?.job_number ?? 0), {
      artifacts: ['big/random'],
      tests: cases,
    })
    const { steps } = await project.page(make?.id ?? '')
    const log = (step: string) =>
      project.log(
        make?.id ?? '',
        steps.findIndex(({ name }) => name === step),
      )
    const [ticks, seen] = [await log('behind'), Number(await log('look'))]
    assert.match(ticks, /^(tick\n)+$/)
    assert.ok(
      ticks.split('\n').length > seen && seen > 5,
      'What ran behind the others must have been followed to the end',
    )
  },
)
