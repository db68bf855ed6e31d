import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { cancelWorkflow } from '#contract/v2/workflow.ts'
import { newClone } from '#test/api/repository.ts'
import { openService, type Service } from '#test/api/service.ts'

const config = (command: string) => `version: 2.1
jobs:
  build:
    machine: true
    steps: [run: ${command}]
workflows:
  main:
    jobs: [build]
`

const remoteLines = (told: string) =>
  told
    .split('\n')
    .filter((line) => line.startsWith('remote: '))
    .map((line) => line.slice('remote: '.length).trim())

test('a push tells its pipeline in the terminal; one that waits, how it ends; one that is skipped, nothing', async () => {
  await using service = await openService({ agentSlots: 1 })
  await using clone = await newClone()
  const remote = service.remote('acme/web')
  const page = (number: number) => `${service.base}/pipelines/provider-a/acme/web/${number}`
  await clone.commit('Begin [skip ci]', { readme: 'x' })
  assert.deepEqual(remoteLines(await clone.told('push', remote, 'main')), [])

  await clone.commit('Good', { '.service/config.yml': config('echo good') })
  assert.deepEqual(remoteLines(await clone.told('push', remote, 'main')), [`Pipeline 1 of main: ${page(1)}`])

  await clone.commit('Bad', { '.service/config.yml': config('exit 3') })
  const [first, workflow, last, ...rest] = remoteLines(await clone.told('push', '-o', 'wait', remote, 'main'))
  assert.equal(first, `Pipeline 2 of main: ${page(2)}`)
  assert.match(workflow ?? '', new RegExp(`^main: failed ${page(2)}/workflows/[0-9a-f-]{36}$`))
  assert.deepEqual([last, rest], ['Pipeline 2: failed', []])

  await clone.commit('Better', { '.service/config.yml': config('echo better') })
  await clone.git('tag', 'v1')
  const both = remoteLines(await clone.told('push', '-o', 'wait', '-o', 'other', remote, 'main', 'v1'))
  assert.deepEqual(both.slice(0, 2), [`Pipeline 3 of main: ${page(3)}`, `Pipeline 4 of v1: ${page(4)}`])
  assert.ok(both.includes('Pipeline 3: success'))

  await clone.commit('Broken', {
    '.service/config.yml': 'version: 2.1\njobs: {build: {machine: true, steps: [nonsense]}}\n',
  })
  const errored = remoteLines(await clone.told('push', '-o', 'wait', remote, 'main'))
  assert.equal(errored[1], 'Pipeline 5: errored')
  assert.ok(errored.length > 2, 'the problems of the configuration follow')
})

/** The workflow of a pipeline, once it has begun. */
const workflowOf = (service: Service, number: number): Promise<string> =>
  service.until(async () => {
    const row = await service.world.db
      .selectFrom('workflows')
      .innerJoin('pipelines', 'pipelines.id', 'workflows.pipeline_id')
      .select('workflows.id')
      .where('pipelines.number', '=', number)
      .executeTakeFirst()
    return row?.id
  })

test(
  'whoever waits hears of a cancellation, may go away, and is sent home in peace by a server that stops: the push is done in any case',
  { timeout: 400_000 },
  async () => {
    // Nobody takes the jobs: they wait.
    await using stack = new AsyncDisposableStack()
    const service = stack.use(await openService())
    await using clone = await newClone()
    const remote = service.remote('acme/web')
    await clone.commit('One', { '.service/config.yml': config('echo one') })
    const first = clone.told('push', '-o', 'wait', remote, 'main')
    await service.call(cancelWorkflow, { params: { id: await workflowOf(service, 1) } })
    assert.equal(remoteLines(await first).at(-1), 'Pipeline 1: canceled')

    await clone.commit('Two', {})
    // A terminal interrupts the whole group: git and the helper that speaks HTTP.
    const second = spawn('git', ['push', '-o', 'wait', remote, 'main'], {
      cwd: clone.folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let heard = ''
    second.stderr.on('data', (words: Buffer) => (heard += words.toString()))
    await service.until(async () => heard.includes('Pipeline 2 of main') || undefined)
    process.kill(-(second.pid ?? assert.fail('git did not start')), 'SIGINT')
    await once(second, 'close')
    assert.match(await clone.git('ls-remote', remote, 'main'), new RegExp(`^${await clone.git('rev-parse', 'HEAD')}`))
    await service.call(cancelWorkflow, { params: { id: await workflowOf(service, 2) } })

    await clone.commit('Three', {})
    const third = clone.told('push', '-o', 'wait', remote, 'main')
    await workflowOf(service, 3)
    await stack.disposeAsync()
    assert.match(remoteLines(await third).at(-1) ?? '', /^The server is being stopped, and the pipeline goes on/)
  },
)
