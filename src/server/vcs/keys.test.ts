import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { fingerprintsOf, newKeyPair } from './keys.ts'
import { temporaryFolder } from './lab.ts'

const execute = promisify(execFile)
const skip = spawnSync('ssh-keygen', ['-?']).error ? 'there is no ssh-keygen here' : false

test('a new key pair is one to ssh', { skip }, async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'key')
  for (const comment of ['', 'a', 'deploy key of acme/site']) {
    const { publicKey, privateKey } = newKeyPair(comment)
    await writeFile(file, privateKey, { mode: 0o600 })
    const { stdout } = await execute('ssh-keygen', ['-y', '-f', file])
    assert.equal(stdout.trim(), publicKey)
  }
})

test('fingerprints are those of ssh', { skip }, async () => {
  await using folder = await temporaryFolder()
  const { publicKey } = newKeyPair('x')
  const file = join(folder.path, 'key.pub')
  await writeFile(file, publicKey)
  const shown = async (hash: string) =>
    (await execute('ssh-keygen', ['-l', '-E', hash, '-f', file])).stdout.split(' ')[1]
  assert.deepEqual(fingerprintsOf(publicKey), {
    md5: (await shown('md5'))?.replace('MD5:', ''),
    sha256: await shown('sha256'),
  })
})

test('two key pairs are never the same', () => {
  assert.notEqual(newKeyPair().publicKey, newKeyPair().publicKey)
})
