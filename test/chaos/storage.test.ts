import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { listJobArtifacts } from '#contract/v2/job.ts'
import { type House, token } from './house.ts'
import { makeProject, type Project, type Run, story } from './project.ts'
import { scenario } from './scenario.ts'
import { until } from './until.ts'

/* Uploads that are broken off by the end of the server: each is done again from its start, and leaves what it would have left. */

const megabytes = 40

/** Makes files that do not shrink, keeps them in every way there is, and looks in another job whether they came back. */
const config = `version: 2.1
jobs:
  make:
    machine: true
    steps:
      - run: { name: make, command: "mkdir big && head -c ${megabytes}M /dev/urandom > big/random && seq 1 1000 > big/numbers && sha256sum big/* > sums" }
      - save_cache: { name: save, key: "v1-{{ .Revision }}-{{ .Environment.CIRCLE_PIPELINE_NUMBER }}", paths: [big] }
      - persist_to_workspace: { name: persist, root: ., paths: [big, sums] }
      - store_artifacts: { name: store, path: big }
  attached:
    machine: true
    steps:
      - attach_workspace: { name: attach, at: . }
      - run: { name: look, command: sha256sum -c sums }
  restored:
    machine: true
    steps:
      - attach_workspace: { at: only }
      - restore_cache: { name: restore, key: "v1-{{ .Revision }}-{{ .Environment.CIRCLE_PIPELINE_NUMBER }}" }
      - run: { name: look, command: sha256sum -c only/sums }
workflows:
  main:
    jobs: [make, attached: { requires: [make] }, restored: { requires: [make] }]
`

async function statusOf(project: Project, pipeline: string, job: string, step: string): Promise<string | undefined> {
  const id = (await project.runsOf(pipeline))[0]?.jobs.find(({ name }) => name === job)?.id
  return id === undefined ? undefined : (await project.page(id)).steps.find(({ name }) => name === step)?.status
}

const begun = (project: Project, pipeline: string, job: string, step: string) =>
  until(`step ${step} of ${job} has begun`, () => statusOf(project, pipeline, job, step))

/** Says that every file is where it must be. */
async function assertKept(house: House, run: Run): Promise<void> {
  assert.deepEqual(
    run.jobs.map(({ name, status }) => `${name} ${status}`),
    ['make success', 'attached success', 'restored success'],
    story([run]),
  )
  const params = { provider: 'provider-a', org: 'chaos', repo: 'work', job_number: run.jobs[0]?.job_number ?? 0 }
  const { items } = await house.v2(listJobArtifacts, { params, query: {} })
  assert.deepEqual(items.map(({ path }) => path).toSorted(), ['big/numbers', 'big/random'])
  for (const { path, url } of items) {
    const answer = await fetch(url, { headers: { 'circle-token': token } })
    const { byteLength } = await answer.arrayBuffer()
    assert.equal(byteLength, path === 'big/random' ? megabytes * 1024 * 1024 : 3893)
  }
}

/** Resolves when a server is in the middle of writing something large; or has written it, where the machine stood still meanwhile. */
function writes(house: House, isOver: () => Promise<boolean>): Promise<true> {
  let looks = 0
  return until(
    'something large is being written',
    async () => {
      const drafts = join(house.folder, 'blobs/.drafts')
      const sizes = readdirSync(drafts).map(
        (name) => statSync(join(drafts, name), { throwIfNoEntry: false })?.size ?? 0,
      )
      return sizes.some((size) => size > 1_000_000) || (++looks % 100 === 0 && (await isOver())) ? true : undefined
    },
    180_000,
    1,
  )
}

describe('killing what keeps files', { concurrency: true }, () => {
  scenario('a server that is killed in the middle of an upload gets it again', async (stage) => {
    const house = await stage.house()
    await house.start()
    const project = await makeProject(house, stage.folder, config)
    const worker = await stage.worker(house, 'worker', 1)
    worker.start()
    const { id } = await project.trigger()
    for (const step of ['save', 'persist', 'store']) {
      await begun(project, id, 'make', step)
      await writes(house, async () => (await statusOf(project, id, 'make', step)) === 'success')
      await house.kill()
      await house.start()
    }
    await assertKept(house, await project.ended(id))
  })
})
