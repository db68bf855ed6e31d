import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import type { Place } from '#agent/executors/executor.ts'
import { shellFiles } from '#agent/executors/shell-files.ts'
import { job } from '#agent/testing/specs.ts'
import { addSshKeys } from './add-ssh-keys.ts'
import type { WorkTools } from './work.ts'

const key = (md5: string, hostname: string) => ({
  hostname,
  md5,
  sha256: `SHA256:${md5.replaceAll(':', '')}`,
  private_key: `key of ${md5}\n`,
})
const keys = [key('aa:bb', 'example.com'), key('cc:dd', '')]

async function add(home: string, fingerprints: readonly string[]) {
  let said = ''
  const step = {
    type: 'add_ssh_keys' as const,
    name: 'add',
    when: 'on_success' as const,
    fingerprints: [...fingerprints],
  }
  const tools = {
    // Nothing else of a place is used.
    place: { home, files: shellFiles } as Place,
    job: job([step], { ssh_keys: keys }),
    step,
    say: (text: string) => (said += text),
  } as unknown as WorkTools<typeof step>
  return { status: await addSshKeys(tools), said: () => said }
}

it('all keys are installed where none is named, each for its host, beside what was there', async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'roundhouse-home-'))
  mkdirSync(join(home.path, '.ssh'))
  writeFileSync(join(home.path, '.ssh/config'), 'Host other\n  User me\n')
  const { status, said } = await add(home.path, [])
  await add(home.path, [])
  assert.equal(status, 'success')
  assert.ok(!said().includes('key of'))
  assert.equal(readFileSync(join(home.path, '.ssh/id_rsa_aabb'), 'utf8'), 'key of aa:bb\n')
  assert.equal(statSync(join(home.path, '.ssh/id_rsa_ccdd')).mode & 0o777, 0o600)
  const config = readFileSync(join(home.path, '.ssh/config'), 'utf8')
  assert.deepEqual(config.match(/^Host .*$/gm), ['Host other', 'Host example.com', 'Host *'])
  assert.ok(config.includes(`IdentityFile ${home.path}/.ssh/id_rsa_aabb`))
})

it('only the named keys are installed, by either fingerprint; one that is unknown fails and installs nothing', async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), 'roundhouse-home-'))
  await assert.rejects(add(home.path, ['aa:bb', 'ee:ff']), /no SSH key with the fingerprint ee:ff/)
  assert.equal(statSync(join(home.path, '.ssh'), { throwIfNoEntry: false }), undefined)
  await add(home.path, ['SHA256:ccdd'])
  assert.equal(statSync(join(home.path, '.ssh/id_rsa_aabb'), { throwIfNoEntry: false }), undefined)
  assert.equal(readFileSync(join(home.path, '.ssh/config'), 'utf8').match(/Host/g)?.length, 2)
})
