import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gitHost } from '#agent/testing/git-host.ts'
import { gitRepository } from '#agent/testing/repository.ts'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld } from '#agent/testing/world.ts'
import { packsOf } from './mirror-state.ts'

const world = (mirrors: object = {}, more: object = {}) =>
  smallWorld({}, { mirrors: { allowFiles: true, ...mirrors }, ...more })
const look = run('cat file; git status --porcelain; git fsck --no-dangling')

/** The only mirror of an agent. */
function mirrorIn(folder: string): string {
  const [name, ...others] = readdirSync(join(folder, 'mirrors'))
  assert.deepEqual(others, [])
  return join(folder, 'mirrors', name ?? 'none')
}

const packIn = (mirror: string) => {
  const packs = packsOf(join(mirror, 'git'))
  return join(packs, readdirSync(packs).find((name) => name.endsWith('.pack')) ?? 'none')
}

test('jobs at the same time fetch once, and the next one not at all', async () => {
  using origin = gitRepository()
  await using host = await gitHost(origin, async () => 'serve')
  await using it = await world({}, { slots: 4 })
  const spec = () => job([origin.step(), look], { checkout: origin.checkout({ url: host.url }) })
  const played = await Promise.all([1, 2, 3, 4].map(() => it.play(spec())))
  assert.deepEqual(
    played.map(({ outcome, logs }) => [outcome, logs[1]]),
    played.map(() => ['success', 'two\n']),
  )
  assert.equal(played.filter(({ logs }) => logs[0]!.includes('Fetching from remote')).length, 1)
  const before = host.asked.length
  assert.match((await it.play(spec())).logs[0]!, /Using what this agent fetched before/)
  assert.equal(host.asked.length, before)
})

test('what is new is fetched: a commit, a tag, a branch that moved back', async () => {
  using origin = gitRepository()
  await using it = await world()
  const play = (more: object, script: string) =>
    it.play(job([origin.step(), run(script)], { checkout: origin.checkout(more) }))
  await play({}, 'true')
  const third = origin.commit('say three', { file: 'three\n' })
  assert.equal((await play({ revision: third }, 'cat file')).logs[1], 'three\n')
  origin.git('tag', '-m', 'second', 'v2')
  assert.equal((await play({ revision: third, tag: 'v2' }, 'git describe')).logs[1], 'v2\n')
  origin.git('reset', '--quiet', '--hard', origin.first)
  const fourth = origin.commit('instead', { file: 'four\n' })
  assert.equal((await play({ revision: fourth }, 'git log --format=%s')).logs[1], 'instead\nsay one\n')
  assert.equal((await play({ revision: third }, 'cat file')).logs[1], 'three\n')
})

const damages: Readonly<Record<string, (mirror: string) => void>> = {
  'a pack is cut off': (mirror) => truncateSync(packIn(mirror), 20),
  'a pack holds other bytes': (mirror) => {
    const file = packIn(mirror)
    chmodSync(file, 0o600)
    const bytes = readFileSync(file)
    writeFileSync(file, Buffer.concat([bytes.subarray(0, 12), randomBytes(bytes.length - 12)]))
  },
  'a pack is gone': (mirror) => rmSync(packIn(mirror)),
  'its repository is gone': (mirror) => rmSync(join(mirror, 'git'), { recursive: true }),
  'its state is half written': (mirror) => writeFileSync(join(mirror, 'state.json'), '{"fetchedAt": 1'),
  'its settings are gone': (mirror) => {
    rmSync(join(mirror, 'git', 'config'))
    rmSync(join(mirror, 'state.json'))
  },
}

for (const [what, damage] of Object.entries(damages)) {
  test(`a mirror heals: ${what}`, async () => {
    using origin = gitRepository()
    await using it = await world()
    const spec = () => job([origin.step(), look], { checkout: origin.checkout() })
    await it.play(spec())
    damage(mirrorIn(it.folder))
    const { outcome, logs } = await it.play(spec())
    assert.equal(outcome, 'success', logs[0])
    assert.equal(logs[1], 'two\n')
    const after = await it.play(spec())
    assert.equal(after.logs[0]!.split('\n')[1], 'Using what this agent fetched before')
  })
}

test('a lock that a killed git left does not stand in the way for long', async () => {
  using origin = gitRepository()
  await using it = await world()
  await it.play(job([origin.step()], { checkout: origin.checkout() }))
  writeFileSync(join(mirrorIn(it.folder), 'git', 'refs', 'heads', 'main.lock'), '')
  const revision = origin.commit('say three', { file: 'three\n' })
  const { outcome, logs } = await it.play(job([origin.step(), look], { checkout: origin.checkout({ revision }) }))
  assert.equal(outcome, 'success', logs[0])
  assert.match(logs[0]!, /Making the mirror of this agent anew\n/)
  assert.equal(logs[1], 'three\n')
})

test('what a job does to its repository stays there', async () => {
  using origin = gitRepository()
  await using it = await world()
  const spoil = run(
    'stat -c %h .git/objects/pack/*.pack; chmod -R u+w .git; for f in .git/objects/pack/*; do echo x >"$f"; done; ls .git/objects/info',
  )
  const checkout = origin.checkout()
  assert.equal((await it.play(job([origin.step(), spoil], { checkout }))).logs[1], '1\n')
  const { outcome, logs } = await it.play(job([origin.step(), look], { checkout }))
  assert.deepEqual([outcome, logs[1]], ['success', 'two\n'])
  assert.match(logs[0]!, /Using what this agent fetched before/)
})

test('no more is kept than allowed: what was used longest ago goes first', async () => {
  using one = gitRepository()
  using other = gitRepository()
  one.commit('bulk', { bulk: randomBytes(100_000).toString('base64') })
  other.commit('bulk', { bulk: randomBytes(100_000).toString('base64') })
  await using it = await world({ mostBytes: 150_000 })
  for (const { step, checkout } of [one, other]) {
    const { outcome } = await it.play(job([step()], { checkout: checkout() }))
    assert.equal(outcome, 'success')
  }
  const left = readdirSync(join(it.folder, 'mirrors')).filter((name) => !name.startsWith('gone-'))
  assert.equal(left.length, 1)
  const state = readFileSync(join(it.folder, 'mirrors', left[0]!, 'state.json'), 'utf8')
  assert.ok(state.includes(other.git('rev-parse', 'main')))

  await using none = await world({ mostBytes: 0 })
  assert.equal((await none.play(job([one.step(), look], { checkout: one.checkout() }))).outcome, 'success')
  assert.deepEqual(
    readdirSync(join(none.folder, 'mirrors')).filter((name) => !name.startsWith('gone-')),
    [],
  )
})

test('many fetches leave few packs', async () => {
  using origin = gitRepository()
  await using it = await world()
  for (let i = 0; i < 24; i++) {
    const revision = origin.commit(`say ${i}`, { file: `${i}\n` })
    const { logs } = await it.play(job([origin.step(), look], { checkout: origin.checkout({ revision }) }))
    assert.equal(logs[1], `${i}\n`)
  }
  const packs = readdirSync(packsOf(join(mirrorIn(it.folder), 'git'))).filter((name) => name.endsWith('.pack'))
  assert.ok(packs.length <= 21, `there are ${packs.length}`)
})

test('where the repository is out of reach, what was fetched before will do', async () => {
  using origin = gitRepository()
  let away = false
  await using host = await gitHost(origin, async () => (away ? 'break' : 'serve'))
  await using it = await world()
  const spec = () => job([origin.step(), look], { checkout: origin.checkout({ url: host.url }) })
  await it.play(spec())
  const file = join(mirrorIn(it.folder), 'state.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), fetchedAt: 0 }))
  away = true
  const { outcome, logs } = await it.play(spec())
  assert.equal(outcome, 'success', logs[0])
  assert.match(logs[0]!, /Trying again\n[^]*Going on with what this agent fetched before\n/)
  assert.equal(logs[1], 'two\n')
})

test('paths of the machine are no repositories', async () => {
  using origin = gitRepository()
  await using it = await smallWorld()
  for (const url of [origin.url, origin.path, 'ext::sh -c touch% /tmp/x', '/etc']) {
    const { outcome, logs } = await it.play(job([origin.step()], { checkout: origin.checkout({ url }) }))
    assert.equal(outcome, 'failed')
    assert.match(logs[0]!, /not allowed|is not valid/)
  }
})

test('another key has a mirror of its own, and no file of a mirror can be read by others', async () => {
  using origin = gitRepository()
  await using it = await world()
  for (const private_key of [null, 'one', 'two'])
    await it.play(job([origin.step()], { checkout: origin.checkout({ private_key }) }))
  const folder = join(it.folder, 'mirrors')
  assert.equal(readdirSync(folder).length, 3)
  assert.equal(statSync(folder).mode & 0o077, 0)
  const keys = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\/key-/.test(path))
  assert.deepEqual(keys, [])
})
