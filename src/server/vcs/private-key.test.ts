import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { newKeyPair } from './keys.ts'
import { temporaryFolder } from './lab.ts'
import { publicKeyOf } from './private-key.ts'

const execute = promisify(execFile)
const skip = spawnSync('ssh-keygen', ['-?']).error ? 'there is no ssh-keygen here' : false

const kinds = [
  ['-t', 'ed25519'],
  ['-t', 'rsa', '-b', '2048'],
  ['-t', 'rsa', '-b', '2048', '-m', 'PEM'],
  ['-t', 'rsa', '-b', '2048', '-m', 'PKCS8'],
  ['-t', 'ecdsa', '-b', '384', '-m', 'PEM'],
  ['-t', 'ecdsa', '-b', '256'],
]

test('the public half of every kind of key is that of ssh', { skip }, async () => {
  await using folder = await temporaryFolder()
  for (const [index, kind] of kinds.entries()) {
    const file = join(folder.path, `key${index}`)
    await execute('ssh-keygen', [...kind, '-q', '-N', '', '-C', '', '-f', file])
    const wanted = (await readFile(`${file}.pub`, 'utf8')).trim()
    assert.equal(publicKeyOf(await readFile(file, 'utf8')), wanted, kind.join(' '))
  }
})

test('a key that needs a passphrase is none', { skip }, async () => {
  await using folder = await temporaryFolder()
  for (const format of ['RFC4716', 'PEM']) {
    const file = join(folder.path, format)
    await execute('ssh-keygen', ['-t', 'rsa', '-b', '2048', '-m', format, '-q', '-N', 'secret', '-f', file])
    assert.equal(publicKeyOf(await readFile(file, 'utf8')), undefined)
  }
})

test('our own keys are read back, also with the line ends of other systems', () => {
  const { publicKey, privateKey } = newKeyPair()
  assert.equal(publicKeyOf(privateKey), publicKey)
  assert.equal(publicKeyOf(`\r\n${privateKey.replaceAll('\n', '\r\n')}  `), publicKey)
})

test('what is no private key is none', () => {
  const { privateKey } = newKeyPair()
  const half = `${privateKey.slice(0, 150)}\n-----END OPENSSH PRIVATE KEY-----\n`
  const publicPem = generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString()
  for (const text of [
    '',
    'hello',
    half,
    publicPem,
    '-----BEGIN OPENSSH PRIVATE KEY-----\n-----END OPENSSH PRIVATE KEY-----',
  ]) {
    assert.equal(publicKeyOf(text), undefined)
  }
})
