import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newClone } from '#test/api/repository.ts'
import { openService } from '#test/api/service.ts'

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
