import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, messagesOf, planOf } from '#config/scenario.ts'

const amazon = '123456789012.dkr.ecr.eu-west-1.amazonaws.com/app:1'
const google = 'europe-west1-docker.pkg.dev/acme/images/app:1'
const pool = 'projects/12/locations/global/workloadIdentityPools/ci'
const withImage = (image: string, auth: string) =>
  `version: 2.1\njobs:\n  build:\n    docker: [{image: "${image}", ${auth}}]\n    steps: [checkout]\n`
const keys = 'aws_access_key_id: A, aws_secret_access_key: $S'
const account = 'oidc_service_account: ci@acme.iam.gserviceaccount.com'

test('credentials of clouds are kept as they are written, and those that are empty are none', () => {
  const read = (image: string, auth: string) => {
    const { executor } = bodyOf(planOf(withImage(image, auth)))
    const { awsAuth, gcpAuth } = executor.type === 'docker' ? executor.images[0]! : {}
    return awsAuth ?? gcpAuth
  }
  const gcp = `{${account}, workload_identity_pool: ${pool}, workload_identity_provider: rh}`
  assert.deepEqual(
    [
      read(amazon, `aws_auth: {${keys}, oidc_role_arn: ""}`),
      read(amazon, 'aws_auth: {oidc_role_arn: $ROLE}'),
      read('public.ecr.aws/acme/app', `aws_auth: {${keys}}`),
      read('<your-image-uri>', 'aws_auth: {oidc_role_arn: <your-iam-role-arn>}'),
      read(google, `gcp_auth: ${gcp}`),
      read(google, `gcp_auth: ${gcp.replace(pool, '$POOL')}`),
      read('redis', 'aws_auth: {aws_access_key_id: "", aws_secret_access_key: ""}'),
    ],
    [
      { aws_access_key_id: 'A', aws_secret_access_key: '$S' },
      { oidc_role_arn: '$ROLE' },
      { aws_access_key_id: 'A', aws_secret_access_key: '$S' },
      { oidc_role_arn: '<your-iam-role-arn>' },
      ...[pool, '$POOL'].map((workload_identity_pool) => ({
        oidc_service_account: 'ci@acme.iam.gserviceaccount.com',
        workload_identity_pool,
        workload_identity_provider: 'rh',
      })),
      undefined,
    ],
  )
})

test('credentials that could never open any registry are problems', () => {
  const said = (image: string, auth: string) => messagesOf(withImage(image, auth)).join('\n')
  const both = 'aws_access_key_id and aws_secret_access_key'
  const gcp = `{${account}, workload_identity_pool: ${pool}, workload_identity_provider: rh}`
  assert.deepEqual(
    [
      said(amazon, 'aws_auth: {aws_access_key_id: A}'),
      said(amazon, 'aws_auth: {aws_secret_access_key: $S}'),
      said(amazon, `aws_auth: {${keys}, oidc_role_arn: R}`),
      said(amazon, 'aws_auth: {}'),
      said(google, `gcp_auth: {${account}}`),
      said(google, `gcp_auth: ${gcp.replace(pool, 'ci')}`),
      said('redis:7', `auth: {username: a, password: b}, aws_auth: {${keys}}`),
    ],
    [
      `[aws_auth] needs ${both}: it lacks aws_secret_access_key`,
      `[aws_auth] needs ${both}: it lacks aws_access_key_id`,
      `[aws_auth] takes either ${both}, or oidc_role_arn: it has both`,
      `[aws_auth] needs ${both}, or oidc_role_arn`,
      '[gcp_auth] needs oidc_service_account, workload_identity_pool, workload_identity_provider: it lacks workload_identity_pool and workload_identity_provider',
      '[gcp_auth] must say which pool it is as projects/<number>/locations/global/workloadIdentityPools/<pool>: it is ci',
      '',
    ],
  )
})
