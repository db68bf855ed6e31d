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
      - {image: "public.ecr.aws/acme/a", aws_auth: {aws_access_key_id: AKIA1, aws_secret_access_key: $HUB_PASSWORD}}
      - {image: "public.ecr.aws/acme/b", aws_auth: {oidc_role_arn: "arn:aws:iam::1:role/pull"}}
      - image: gcr.io/acme/c
        gcp_auth:
          oidc_service_account: ci@acme.iam.gserviceaccount.com
          workload_identity_pool: projects/12/locations/global/workloadIdentityPools/ci
          workload_identity_provider: rh
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
  const token = job.environment['CIRCLE_OIDC_TOKEN_V2']
  assert.match(token ?? '', /^\S+\.\S+\.\S+$/)
  assert.deepEqual(job.executor.type === 'docker' && job.executor.images, [
    { image: 'acme/app:1', environment: {}, auth: { username: 'ada', password: 's3same' } },
    {
      image: 'acme/db:1',
      environment: {},
      without_auth: 'they name OTHER_PASSWORD, which the job does not have',
    },
    { image: 'acme/cache:1', environment: {} },
    {
      image: 'public.ecr.aws/acme/a',
      environment: {},
      cloud_auth: { type: 'aws_keys', access_key_id: 'AKIA1', secret_access_key: 's3same' },
    },
    {
      image: 'public.ecr.aws/acme/b',
      environment: {},
      cloud_auth: { type: 'aws_role', role_arn: 'arn:aws:iam::1:role/pull', token },
    },
    {
      image: 'gcr.io/acme/c',
      environment: {},
      cloud_auth: {
        type: 'gcp_account',
        account: 'ci@acme.iam.gserviceaccount.com',
        pool: 'projects/12/locations/global/workloadIdentityPools/ci',
        provider: 'rh',
        token,
      },
    },
  ])
})
