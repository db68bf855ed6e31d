import assert from 'node:assert/strict'
import { test } from 'node:test'
import ssh2 from 'ssh2'
import { gitRepository } from '#agent/testing/repository.ts'
import { job, run } from '#agent/testing/specs.ts'
import { sshHost } from '#agent/testing/ssh-host.ts'
import { smallWorld } from '#agent/testing/world.ts'
import { lane } from '#test/lanes.ts'

const { reason: skip } = lane('ssh')

test(
  'the key of the project opens the repository, and stays with the job: it fetches, pushes and gets submodules',
  { skip },
  async () => {
    using part = gitRepository()
    using origin = gitRepository()
    const key = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
    await using host = await sshHost(key.public)
    origin.git(
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      host.urlOf(part).replace(/^ssh:..[^/]*/, 'file://'),
      'part',
    )
    origin.git('config', '--file', '.gitmodules', 'submodule.part.url', host.urlOf(part))
    const revision = origin.commit('with a part', {})
    await using it = await smallWorld()
    for (const method of ['full', 'blobless', 'shallow']) {
      const steps = [
        origin.step({ method }),
        run('ls part; git submodule --quiet update --init && cat part/file'),
        run(
          `git fetch -q && git checkout -q --detach && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m pushed && git push -q origin HEAD:refs/heads/${method} && echo pushed`,
        ),
        run(
          'cd; stat -c "%a %n" .ssh .ssh/id_rsa; wc -l <.ssh/known_hosts; git config --global core.sshCommand | cut -c1-6',
        ),
      ]
      const checkout = origin.checkout({ url: host.urlOf(origin), revision, private_key: key.private })
      const { outcome, logs } = await it.play(job(steps, { checkout }), 180_000)
      assert.equal(outcome, 'success', logs.join('\n'))
      assert.deepEqual(logs.slice(1), ['two\n', 'pushed\n', '700 .ssh\n600 .ssh/id_rsa\n1\nssh -i\n'])
      assert.equal(origin.git('log', '-1', '--format=%s', method), 'pushed')
      assert.doesNotMatch(logs.join(''), /PRIVATE KEY/)
    }
  },
)

test('a wrong key fails the step in the words of ssh', { skip }, async () => {
  using origin = gitRepository()
  await using host = await sshHost(ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).public)
  await using it = await smallWorld()
  const other = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const checkout = origin.checkout({ url: host.urlOf(origin), private_key: other.private })
  const { outcome, logs } = await it.play(job([origin.step()], { checkout }), 180_000)
  assert.equal(outcome, 'failed')
  assert.match(logs[0]!, /Permission denied \(publickey\)/)
})
