import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amazonRegistry, isGoogleRegistry, registryOf, usualRegistry, workloadProvider } from './image-registry.ts'

test('the registry of an image is its first part where that is a host', () => {
  assert.deepEqual(
    ['redis', 'acme/app:1', 'localhost/app', '127.0.0.1:5000/app', 'gcr.io/a/b@sha256:0'].map(registryOf),
    [usualRegistry, usualRegistry, 'localhost', '127.0.0.1:5000', 'gcr.io'],
  )
})

test('a registry of Amazon says by its name where its users are known', () => {
  const said = (host: string) => {
    const { service, region, ecr, sts } = amazonRegistry(host) ?? {}
    return region === undefined ? undefined : `${service} ${region} ${ecr} ${sts}`
  }
  const account = '123456789012'
  assert.deepEqual(
    [
      `${account}.dkr.ecr.eu-west-1.amazonaws.com`,
      `${account}.dkr.ecr.cn-north-1.amazonaws.com.cn`,
      `${account}.dkr.ecr-fips.us-east-1.amazonaws.com`,
      `${account}.dkr.ecr-fips.us-gov-west-1.amazonaws.com`,
      `${account}.dkr-ecr.eu-west-1.on.aws`,
      `${account}.dkr-ecr-fips.us-east-1.on.aws`,
      `${account}.dkr-ecr.cn-north-1.on.amazonwebservices.com.cn`,
      'account-id.dkr.ecr.us-east-1.amazonaws.com',
      'public.ecr.aws',
    ].map(said),
    [
      'ecr eu-west-1 api.ecr.eu-west-1.amazonaws.com sts.eu-west-1.amazonaws.com',
      'ecr cn-north-1 api.ecr.cn-north-1.amazonaws.com.cn sts.cn-north-1.amazonaws.com.cn',
      'ecr us-east-1 ecr-fips.us-east-1.amazonaws.com sts-fips.us-east-1.amazonaws.com',
      'ecr us-gov-west-1 ecr-fips.us-gov-west-1.amazonaws.com sts.us-gov-west-1.amazonaws.com',
      'ecr eu-west-1 ecr.eu-west-1.api.aws sts.eu-west-1.api.aws',
      'ecr us-east-1 ecr-fips.us-east-1.api.aws sts-fips.us-east-1.api.aws',
      'ecr cn-north-1 ecr.cn-north-1.api.amazonwebservices.com.cn sts.cn-north-1.api.amazonwebservices.com.cn',
      'ecr us-east-1 api.ecr.us-east-1.amazonaws.com sts.us-east-1.amazonaws.com',
      'ecr-public us-east-1 api.ecr-public.us-east-1.amazonaws.com sts.us-east-1.amazonaws.com',
    ],
  )
  const others = [
    'ghcr.io',
    'amazonaws.com',
    `${account}.dkr.ecr.eu-west-1.amazonaws.com.example.com`,
    `example.com/${account}.dkr.ecr.eu-west-1.amazonaws.com`,
    `${account}.dkr.ecr.eu-west-1.example.com`,
    `${account}.dkr.ecr.eu.west.amazonaws.com`,
    usualRegistry,
  ]
  assert.deepEqual(
    others.filter((host) => amazonRegistry(host)),
    [],
  )
})

test('a registry of Google is known by its name', () => {
  const hosts = ['gcr.io', 'eu.gcr.io', 'europe-west1-docker.pkg.dev', 'docker.pkg.dev']
  const others = ['gcr.io.example.com', 'pkg.dev', 'a.b.pkg.dev', 'ghcr.io', usualRegistry]
  assert.deepEqual([...hosts, ...others].filter(isGoogleRegistry), hosts)
})

test('a provider of identities is named in full by itself, or with its pool', () => {
  const pool = 'projects/12/locations/global/workloadIdentityPools/ci'
  const full = `${pool}/providers/roundhouse`
  assert.deepEqual(
    [
      workloadProvider(pool, 'roundhouse'),
      workloadProvider(`//iam.googleapis.com/${pool}/`, 'providers/roundhouse'),
      workloadProvider(`https://iam.googleapis.com/v1/${pool}`, 'roundhouse'),
      workloadProvider('ci', full),
      workloadProvider('', `//iam.googleapis.com/${full}`),
      workloadProvider('ci', 'roundhouse'),
      workloadProvider(pool, 'a/b'),
      workloadProvider('', ''),
    ],
    [full, full, full, full, full, undefined, undefined, undefined],
  )
})
