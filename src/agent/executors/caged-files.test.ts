import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { tempFolder } from '#agent/testing/world.ts'
import { lane } from '#test/lanes.ts'
import { cageOf, furnish } from './cage.ts'
import { cagedFiles } from './shell-files.ts'

const { reason: skip } = lane('bubblewrap')

test('the files of a job that is locked in are its own, whatever it names and links to', { skip }, async () => {
  using agent = tempFolder()
  using secrets = tempFolder()
  writeFileSync(join(secrets.path, 'secret.key'), 'never')
  const [folder, tools] = [join(agent.path, 'jobs/1'), join(agent.path, 'bin')]
  const home = join(folder, 'home')
  for (const path of [home, tools]) mkdirSync(path, { recursive: true })
  furnish(folder)
  writeFileSync(join(home, 'mine'), 'mine')
  symlinkSync(secrets.path, join(home, 'link'))
  const cage = cageOf(agent.path, tools, { hide: [secrets.path], network: true })
  const files = cagedFiles(cage(folder), folder)

  assert.deepEqual(await files.find(home, ['*', 'link/*']), ['link', 'mine'])
  assert.deepEqual(await files.find(secrets.path, ['*']), [])
  // Its own /tmp, which lasts as long as the job, whoever looks.
  writeFileSync(join(folder, 'tmp', 'passing'), 'passing')
  assert.deepEqual(await files.find('/tmp', ['passing']), ['passing'])
  assert.match((await buffer(files.pack('/tmp', ['passing']))).toString(), /passing/)
  // As caches ask for files that are not below the home.
  const [mine, other] = [join(home, 'mine').slice(1), 'tmp/roundhouse-none']
  assert.deepEqual(await files.find('/', ['tmp/pass*', mine, other]), ['tmp/passing', mine].toSorted())
  await assert.rejects(buffer(files.pack(secrets.path, ['secret.key'])), /Cannot pack/)
  await assert.rejects(buffer(files.pack(join(home, 'link'), ['secret.key'])), /Cannot pack/)
  await files.unpack(join(home, 'new/folder'), files.pack(home, ['mine']))
  assert.equal(readFileSync(join(home, 'new/folder/mine'), 'utf8'), 'mine')
  await assert.rejects(files.unpack('/etc/roundhouse-was-here', files.pack(home, ['mine'])), /Cannot unpack/)
})
