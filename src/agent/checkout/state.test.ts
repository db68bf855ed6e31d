import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gitHost } from '#agent/testing/git-host.ts'
import { gitRepository, type TestRepository } from '#agent/testing/repository.ts'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld } from '#agent/testing/world.ts'

/* How a job finds its repository: as a clone and a checkout of its branch or tag would have left it. */

let origin: TestRepository
before(() => {
  origin = gitRepository()
})
after(() => origin[Symbol.dispose]())

const world = () => smallWorld({}, { mirrors: { allowFiles: true } })

test('a branch is checked out, with all others and the tags known, as after a clone', async () => {
  await using it = await world()
  const look = run(
    'git branch; git branch -r; git remote -v; git describe --tags; git status -sb; git log --format=%s; git rev-parse --is-shallow-repository; git config branch.main.merge; git fsck',
  )
  const checkout = origin.checkout({ branch: 'topic', revision: origin.second })
  const { outcome, logs } = await it.play(job([origin.step(), look], { checkout }))
  assert.equal(outcome, 'success', logs[0])
  assert.equal(
    logs[1],
    [
      '  main',
      '* topic',
      '  origin/HEAD -> origin/main',
      '  origin/main',
      '  origin/side',
      `origin\t${origin.url} (fetch)`,
      `origin\t${origin.url} (push)`,
      `v1-1-g${origin.second.slice(0, 7)}`,
      '## topic',
      'say two',
      'say one',
      'false',
      'refs/heads/main',
      '',
    ].join('\n'),
  )
})

test('a tag is checked out without a branch, at its commit', async () => {
  await using it = await world()
  const look = run('git describe --exact-match --tags; git symbolic-ref -q HEAD || echo detached; cat file')
  const checkout = origin.checkout({ branch: null, tag: 'v1', revision: origin.first })
  for (const method of ['full', 'blobless', 'shallow']) {
    const { outcome, logs } = await it.play(job([origin.step({ method }), look], { checkout }))
    assert.equal(outcome, 'success', logs[0])
    assert.match(logs[0]!, /Checking out tag v1\n/)
    assert.equal(logs[1], 'v1\ndetached\none\n')
  }
})

test('a shallow checkout has as many commits as asked for, and the rest can be fetched', async () => {
  await using it = await world()
  const third = origin.commit('say three', { file: 'three\n' })
  const look = run(
    'git log --format=%s; git rev-parse --is-shallow-repository; git fetch -q --unshallow; git log --format=%s | wc -l',
  )
  const spec = { checkout: origin.checkout({ revision: third }) }
  for (const from of ['the repository', 'the mirror']) {
    const { outcome, logs } = await it.play(job([origin.step({ method: 'shallow', depth: 2 }), look], spec))
    assert.equal(outcome, 'success', logs.join('\n'))
    assert.match(logs[0]!, from === 'the mirror' ? /Using what this agent/ : /Fetching from remote/)
    assert.equal(logs[1], 'say three\nsay two\ntrue\n3\n')
    await it.play(job([origin.step()], spec))
  }
})

test('a pull request of a fork is found by its revision, or by its number', async () => {
  await using it = await world()
  origin.git('checkout', '--quiet', '-b', 'fork')
  const revision = origin.commit('from a fork', { file: 'fork\n' })
  origin.git('update-ref', 'refs/pull/7/head', revision)
  origin.git('checkout', '--quiet', 'main')
  origin.git('branch', '-D', 'fork')
  for (const method of ['full', 'blobless', 'shallow']) {
    const checkout = origin.checkout({ branch: 'pull/7', revision })
    const look = run('git symbolic-ref --short HEAD; cat file; git status --porcelain')
    const { outcome, logs } = await it.play(job([origin.step({ method }), look], { checkout }))
    assert.equal(outcome, 'success', logs[0])
    assert.equal(logs[1], 'pull/7\nfork\n')
  }
})

test('a revision that is nowhere fails the step and says so', async () => {
  await using it = await world()
  for (const method of ['full', 'blobless', 'shallow']) {
    const checkout = origin.checkout({ revision: '1'.repeat(40) })
    const { outcome, statuses, logs } = await it.play(job([origin.step({ method })], { checkout }))
    assert.deepEqual([outcome, ...statuses], ['failed', 'failed'])
    assert.match(logs[0]!, /Cannot find revision 1{40} in the repository: /)
  }
})

test('a checkout into a repository of another place keeps what is there and brings the revision', async () => {
  await using it = await world()
  const before = run(`git init -q . && git remote add origin /nowhere && echo kept >untracked && echo x >file`)
  const look = run(
    'cat untracked file; git symbolic-ref --short HEAD; git remote get-url origin; git branch -r; git fsck',
  )
  for (const method of ['full', 'blobless', 'shallow']) {
    const { outcome, logs } = await it.play(
      job([before, origin.step({ method }), look], { checkout: origin.checkout({ revision: origin.second }) }),
    )
    assert.equal(outcome, 'success', logs[1])
    assert.match(logs[2]!, new RegExp(`^kept\ntwo\nmain\n${origin.url}\n`))
    if (method !== 'shallow') assert.match(logs[2]!, /origin\/main\n {2}origin\/side\n$/)
  }
})

test('the home of the job has the settings of the original, and those it had before', async () => {
  await using it = await world()
  const checkout = origin.checkout()
  const fresh = await it.play(job([origin.step(), run('git config --global --list')], { checkout }))
  assert.equal(fresh.logs[1], 'gc.auto=0\n')
  const own = run('git config --global user.name ada; git config --global gc.auto 5')
  const kept = await it.play(job([own, origin.step(), run('git config --global --list')], { checkout }))
  assert.equal(kept.logs[2], 'user.name=ada\ngc.auto=5\n')
})

test('a credential of the git host lies in the home, for that host only, beside what the job has set', async () => {
  await using it = await world()
  await using host = await gitHost(origin, async () => 'serve')
  const ask = (url: string) =>
    run(`printf 'url=${url}\\n' | GIT_TERMINAL_PROMPT=0 git credential fill 2>&1 || echo none`)
  const checkout = { ...origin.checkout(), url: host.url, with_job_token: true, credential: 'key-of-this-job' }
  for (const own of ['true', 'git config --global user.name ada']) {
    const steps = [
      run(own),
      origin.step(),
      ask(host.url),
      ask('http://elsewhere/'),
      run('stat -c %a ~/.git-job-credential'),
    ]
    const { outcome, logs } = await it.play(job(steps, { checkout }))
    assert.equal(outcome, 'success', logs.join(''))
    assert.match(logs[2]!, /\nusername=job\npassword=\*\*\*\*\n$/)
    assert.match(logs[3]!, /none\n$/)
    assert.equal(logs[4], '600\n')
  }
})

test('a repository of the other kind of names, SHA-256, is checked out too', async () => {
  using other = gitRepository('sha256')
  await using it = await world()
  const look = run('cat file; git status --porcelain; git rev-parse --show-object-format; git fsck')
  for (const method of ['full', 'blobless', 'shallow']) {
    const { outcome, logs } = await it.play(job([other.step({ method }), look], { checkout: other.checkout() }))
    assert.equal(outcome, 'success', logs[0])
    assert.equal(logs[1], 'two\nsha256\n')
  }
})

test('files that git-lfs keeps elsewhere stay the notes that they are in the repository', async () => {
  await using it = await world()
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 1\n`
  const revision = origin.commit('large', { '.gitattributes': '*.bin filter=lfs diff=lfs -text\n', 'a.bin': pointer })
  const filter = run(
    'git config --global filter.lfs.smudge "touch ~/ran; cat"; git config --global filter.lfs.required true',
  )
  const look = run('cat a.bin; ls ~ -A')
  const { logs } = await it.play(job([filter, origin.step(), look], { checkout: origin.checkout({ revision }) }))
  assert.equal(logs[2], `${pointer}.gitconfig\nproject\n`)
})
