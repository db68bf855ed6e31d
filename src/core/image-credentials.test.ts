import assert from 'node:assert/strict'
import { test } from 'node:test'
import { credentialsOf } from './image-credentials.ts'

const image = { image: 'acme/private:1', environment: [] }
const variables = { HUB_USER: 'ada', HUB_PASSWORD: 'pa$$word $HUB_USER', EMPTY: '' }

test('variables in credentials are filled in once, in both spellings, and all other text stays', () => {
  const auth = { username: '$HUB_USER', password: '${HUB_PASSWORD}' }
  assert.deepEqual(credentialsOf({ ...image, auth }, variables), {
    type: 'password',
    username: 'ada',
    password: 'pa$$word $HUB_USER',
  })
  const plain = { username: 'a-$HUB_USER.x', password: 'p$1$' }
  assert.deepEqual(credentialsOf({ ...image, auth: plain }, variables), {
    type: 'password',
    username: 'a-ada.x',
    password: 'p$1$',
  })
})

test('an image without credentials has none, and one whose variables are not set says which', () => {
  assert.deepEqual(credentialsOf(image, variables), { type: 'none' })
  const auth = { username: '$HUB_USER', password: '$EMPTY$NOWHERE' }
  assert.deepEqual(credentialsOf({ ...image, auth }, variables), {
    type: 'unusable',
    reason: 'they name EMPTY and NOWHERE, which the job does not have',
  })
})

test('credentials for a cloud are told to be of no use here', () => {
  const awsAuth = { aws_access_key_id: 'id', aws_secret_access_key: '$HUB_PASSWORD' }
  assert.deepEqual(credentialsOf({ ...image, awsAuth }, variables), {
    type: 'unusable',
    reason: 'aws_auth cannot be used here, only auth',
  })
})
