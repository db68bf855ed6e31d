import assert from 'node:assert/strict'
import { test } from 'node:test'
import { credentialsOf } from './image-credentials.ts'

const image = { image: 'acme/private:1', environment: [] }
const amazon = { ...image, image: '123456789012.dkr.ecr.eu-west-1.amazonaws.com/app:1' }
const google = { ...image, image: 'europe-west1-docker.pkg.dev/acme/images/app:1' }
const variables = { HUB_USER: 'ada', HUB_PASSWORD: 'pa$$word $HUB_USER', EMPTY: '' }

test('variables in credentials are filled in once, in both spellings, and all other text stays', () => {
  const auth = { username: '$HUB_USER', password: '${HUB_PASSWORD}' }
  assert.deepEqual(credentialsOf({ ...image, auth }, variables, undefined), {
    type: 'password',
    username: 'ada',
    password: 'pa$$word $HUB_USER',
  })
  const plain = { username: 'a-$HUB_USER.x', password: 'p$1$' }
  assert.deepEqual(credentialsOf({ ...image, auth: plain }, variables, undefined), {
    type: 'password',
    username: 'a-ada.x',
    password: 'p$1$',
  })
})

test('an image without credentials has none, and one whose variables are not set says which', () => {
  assert.deepEqual(credentialsOf(image, variables, undefined), { type: 'none' })
  const auth = { username: '$HUB_USER', password: '$EMPTY$NOWHERE' }
  assert.deepEqual(credentialsOf({ ...image, auth }, variables, undefined), {
    type: 'unusable',
    reason: 'they name EMPTY and NOWHERE, which the job does not have',
  })
})

test('keys of Amazon need nothing but their variables', () => {
  const awsAuth = { aws_access_key_id: 'id', aws_secret_access_key: '$HUB_PASSWORD' }
  assert.deepEqual(credentialsOf({ ...amazon, awsAuth }, variables, undefined), {
    type: 'cloud',
    auth: { type: 'aws-keys', accessKeyId: 'id', secretAccessKey: 'pa$$word $HUB_USER' },
  })
})

test('what a cloud gives to a job that says who it is needs a token of the job', () => {
  const role = { ...amazon, awsAuth: { oidc_role_arn: 'arn:aws:iam::1:role/$HUB_USER' } }
  const account = {
    ...google,
    gcpAuth: {
      oidc_service_account: '${HUB_USER}@acme',
      workload_identity_pool: 'projects/1',
      workload_identity_provider: 'p',
    },
  }
  const reason = 'the job has no identity token to show for them, as the code of a fork'
  assert.deepEqual(
    [role, account].flatMap((one) => ['who-I-am', undefined].map((token) => credentialsOf(one, variables, token))),
    [
      { type: 'cloud', auth: { type: 'aws-role', roleArn: 'arn:aws:iam::1:role/ada', token: 'who-I-am' } },
      { type: 'unusable', reason },
      {
        type: 'cloud',
        auth: { type: 'gcp-account', account: 'ada@acme', pool: 'projects/1', provider: 'p', token: 'who-I-am' },
      },
      { type: 'unusable', reason },
    ],
  )
})

test('of several kinds of credentials the one for the registry of the image counts, and one for another is told', () => {
  const all = {
    auth: { username: 'ada', password: 'secret' },
    awsAuth: { aws_access_key_id: 'id', aws_secret_access_key: 'key' },
    gcpAuth: { oidc_service_account: 'a', workload_identity_pool: 'p', workload_identity_provider: 'q' },
  }
  const { awsAuth, gcpAuth } = all
  const types = [image, amazon, google].map((one) => {
    const credentials = credentialsOf({ ...one, ...all }, variables, 'who-I-am')
    return credentials.type === 'cloud' ? credentials.auth.type : credentials.type
  })
  assert.deepEqual(types, ['password', 'aws-keys', 'gcp-account'])
  assert.deepEqual(credentialsOf({ ...image, awsAuth }, variables, 'who-I-am'), {
    type: 'unusable',
    reason: 'aws_auth is for registries of Amazon, and acme/private:1 is at Docker Hub',
  })
  assert.deepEqual(credentialsOf({ ...amazon, gcpAuth }, variables, 'who-I-am'), {
    type: 'unusable',
    reason: `gcp_auth is for registries of Google, and ${amazon.image} is at 123456789012.dkr.ecr.eu-west-1.amazonaws.com`,
  })
})
