import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createVariable } from '#contract/v2/variable.ts'
import { newHand } from './hand.ts'
import { newPerson } from './people.ts'
import { openService } from './service.ts'

const slug = { provider: 'provider-a', org: 'acme', repo: 'web' } as const
const config = `version: 2.1
jobs:
  build:
    docker:
      - {image: "acme/app:1", auth: {username: ada, password: $HUB_PASSWORD}}
      - {image: "acme/db:1", auth: {username: ada, password: $OTHER_PASSWORD}}
      - {image: "acme/cache:1"}
    steps: [{run: make}]
workflows: {main: {jobs: [build]}}
`

test('an agent gets the credentials of images with their variables filled in, or is told which are missing', async () => {
  await using service = await openService()
  const ada = await newPerson(service.world, 'ada')
  await service.push('acme/web', { readme: 'x' }, ['first'], ada.token, 'Begin [skip ci]')
  await service.call(createVariable, { params: slug, body: { name: 'HUB_PASSWORD', value: 's3same' } }, ada.token)
  const hand = await newHand(service)
  await service.push('acme/web', { '.service/config.yml': config }, ['main'], ada.token)
  const job = await hand.play('build', 'success')
  assert.deepEqual(job.executor.type === 'docker' && job.executor.images, [
    { image: 'acme/app:1', environment: {}, auth: { username: 'ada', password: 's3same' } },
    {
      image: 'acme/db:1',
      environment: {},
      without_auth: 'they name OTHER_PASSWORD, which the job does not have',
    },
    { image: 'acme/cache:1', environment: {} },
  ])
})
