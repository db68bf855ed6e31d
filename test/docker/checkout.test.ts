import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import ssh2 from 'ssh2'
import { gitRepository, type TestRepository } from '#agent/testing/repository.ts'
import { job, run } from '#agent/testing/specs.ts'
import { sshHost } from '#agent/testing/ssh-host.ts'
import { smallWorld } from '#agent/testing/world.ts'
import type { StepSpec } from '#contract/agent.ts'
import { lane } from '#test/lanes.ts'
import { bare, busybox, startEngine, type TestEngine } from './engine.ts'
import { importPrograms } from './machine-image.ts'

const spinUp: StepSpec = { type: 'spin_up', name: 'Spin up environment', when: 'always' }
const withGit = 'roundhouse-test/git:1'
const withSsh = 'roundhouse-test/ssh:1'

suite('checkout in containers', { skip: lane('docker').reason }, () => {
  let engine: TestEngine
  let origin: TestRepository
  before(async () => {
    engine = await startEngine()
    importPrograms(engine, withGit, ['git'])
    origin = gitRepository()
  })
  after(async () => {
    origin[Symbol.dispose]()
    await engine[Symbol.asyncDispose]()
  })

  const play = async (image: string, user: string | undefined, steps: readonly StepSpec[], more = {}) => {
    await using it = await smallWorld({}, { docker: { address: engine.address }, mirrors: { allowFiles: true } })
    const images = [{ image, environment: {}, ...(user !== undefined && { user }) }]
    const checkout = { ...origin.checkout(), ...more }
    return await it.play(job([spinUp, ...steps], { executor: { type: 'docker', images }, checkout }), 180_000)
  }

  for (const method of ['full', 'blobless', 'shallow'] as const) {
    test(`an image with nothing but busybox gets the files and the repository, ${method}`, async () => {
      const look = run(
        'cat file dir/deep; ls -l script | cut -c1-10; stat -c "%U %n" file .git .git/HEAD; cat .git/HEAD',
      )
      const { outcome, logs } = await play(busybox, 'ci', [origin.step({ method }), look])
      assert.equal(outcome, 'success', logs.join('\n'))
      assert.match(
        logs[1]!,
        /^Cloning git repository\n[^]*Checking out branch main\nHEAD is now at [0-9a-f]+ say two\n$/,
      )
      assert.equal(logs[2], 'two\ndeep\n-rwxr-xr-x\nci file\nci .git\nci .git/HEAD\nref: refs/heads/main\n')
    })

    test(`an image with git has a clean repository of its own user, ${method}`, async () => {
      const look = run(
        'git status --porcelain; git diff-index --quiet HEAD; git symbolic-ref --short HEAD; git log --format=%s; stat -c %U file .git/index; git fsck --connectivity-only --no-dangling',
      )
      const again = run('echo changed >file; git checkout -q -b other')
      const { outcome, logs } = await play(withGit, 'ci', [
        origin.step({ method }),
        look,
        again,
        origin.step({ method }),
        look,
      ])
      assert.equal(outcome, 'success', logs.join('\n'))
      const history = method === 'shallow' ? 'say two\n' : 'say two\nsay one\n'
      assert.equal(logs[2], `main\n${history}ci\nci\n`)
      assert.match(logs[4]!, /^Fetching into the existing repository\n/)
      assert.equal(logs[5], logs[2])
    })
  }

  test('an image with only a shell gets the files', async () => {
    const look = run('while read -r line; do echo "$line"; done <file')
    const { outcome, logs } = await play(bare, undefined, [origin.step(), look])
    assert.equal(outcome, 'success', logs.join('\n'))
    assert.equal(logs[2], 'two\n')
  })

  test('links of a repository lead nowhere but where they say, inside the container', async () => {
    const revision = origin.commitLinks()
    const look = run('ls -l out up | grep -o "[a-z]* -> .*"; ls /tmp | wc -l; cat inner/kept')
    const { outcome, logs } = await play(busybox, undefined, [origin.step(), look], { revision })
    assert.equal(outcome, 'success', logs.join('\n'))
    assert.equal(logs[2], 'out -> /tmp\nup -> ../../..\n0\nkept\n')
  })

  test('a directory that the user of the image may not make fails the job in words', async () => {
    const step = origin.step({ path: '/opt/app' })
    const { outcome, statuses, logs } = await play(busybox, 'ci', [step, run('echo not reached')])
    assert.deepEqual([outcome, ...statuses], ['failed', 'success', 'failed', 'skipped'])
    assert.match(logs[1]!, /Cannot unpack into \/opt\/app\b.*[Pp]ermission denied/)
  })

  test('files of others are left alone', async () => {
    const { outcome, logs } = await play(busybox, 'ci', [
      run('echo mine >own'),
      origin.step(),
      run('cat own', { when: 'always' }),
    ])
    assert.equal(outcome, 'failed')
    assert.equal(logs[2], 'Cannot check out into /home/ci/project: it holds other files and is not a git repository\n')
    assert.equal(logs[3], 'mine\n')
  })

  test(
    'the key of the project is there for git inside: it fetches, pushes and gets submodules',
    { skip: lane('ssh').reason },
    async () => {
      importPrograms(engine, withSsh, ['git', 'ssh', 'basename', 'sed'])
      const key = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
      await using host = await sshHost(key.public)
      using part = gitRepository()
      using whole = gitRepository()
      whole.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', part.url, 'part')
      whole.git('config', '--file', '.gitmodules', 'submodule.part.url', host.urlOf(part))
      const revision = whole.commit('with a part', {})
      // The host of the repository is this machine: the container shares its network.
      const docker = { address: engine.address, network: 'host' }
      await using it = await smallWorld({}, { docker })
      for (const [image, user] of [
        [withSsh, 'ci'],
        [withSsh, 'root'],
        [busybox, 'ci'],
      ] as const) {
        const inside = [
          run('git submodule --quiet update --init 2>/dev/null && cat part/file'),
          run(
            `git fetch -q && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m pushed && git push -q origin HEAD:refs/heads/of-${user} && echo pushed`,
          ),
        ]
        const steps = [
          whole.step(),
          ...(image === busybox ? [] : inside),
          run('cd; stat -c "%a %U %n" .ssh .ssh/id_rsa'),
        ]
        const checkout = whole.checkout({ url: host.urlOf(whole), revision, private_key: key.private })
        const executor = { type: 'docker' as const, images: [{ image, user, environment: {} }] }
        const { outcome, logs } = await it.play(job([spinUp, ...steps], { executor, checkout }), 180_000)
        assert.equal(outcome, 'success', logs.join('\n'))
        const told = [
          ...(image === busybox ? [] : ['two\n', 'pushed\n']),
          `700 ${user} .ssh\n600 ${user} .ssh/id_rsa\n`,
        ]
        assert.deepEqual(logs.slice(2), told)
        assert.doesNotMatch(logs.join(''), /PRIVATE KEY/)
        if (image !== busybox) assert.equal(whole.git('log', '-1', '--format=%s', `of-${user}`), 'pushed')
      }
    },
  )
})
