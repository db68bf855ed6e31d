import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { job, run } from '#agent/testing/specs.ts'
import { smallWorld, tempFolder } from '#agent/testing/world.ts'
import { lane } from '#test/lanes.ts'

const { reason: skip } = lane('bubblewrap')

async function listening(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).listen(path)
  await once(server, 'listening')
  return server
}

test(
  'a job that is locked in sees of the agent only itself, has a /tmp of its own and changes nothing else',
  { skip },
  async () => {
    using secrets = tempFolder()
    writeFileSync(join(secrets.path, 'secret.key'), 'never')
    await using it = await smallWorld({}, { isolation: { hide: [secrets.path], network: true } })
    const looks = [
      `ls ${it.folder}/jobs | wc -l`,
      `cat ${secrets.path}/secret.key || echo hidden`,
      'touch /etc/roundhouse-was-here || echo kept',
      'ls /tmp; echo mine >/tmp/x',
      'ps ax | grep -c "[n]ode" || true',
      'echo work >file; cat file',
      'cat ~/../job.json || echo closed',
    ]
    const store = { type: 'store_artifacts', name: 'store', when: 'always', path: '/tmp/x' } as const
    const spec = job([run(looks.join('\n')), run('cat /tmp/x; kill -9 $$'), store])
    const { outcome, logs } = await it.play(spec)
    assert.deepEqual(it.server.jobs.get(spec.id)?.artifacts, ['tmp/x'])
    assert.match(
      logs[0]!,
      /^1\n(.*No such file.*\n)hidden\n(.*Read-only.*\n)kept\n[^]*0\nwork\n(.*Permission denied.*\n)?closed\n$/,
    )
    assert.match(logs[1]!, /^mine\n/)
    assert.equal(outcome, 'failed')
  },
)

test('a job that is locked in does not reach the engine of the agent', { skip }, async () => {
  // Not below /tmp, of which the job has its own.
  using folder = tempFolder(homedir())
  const path = join(folder.path, 'docker.sock')
  const engine = createServer((socket) => socket.end()).listen(path)
  await once(engine, 'listening')
  try {
    const look = run(`if test -S ${path}; then echo open; else echo closed; fi`)
    const docker = { address: `unix://${path}` }
    await using caged = await smallWorld({}, { isolation: { hide: [], network: true }, docker })
    assert.equal((await caged.play(job([look]))).logs[0], 'closed\n')
    await using open = await smallWorld({}, { docker })
    assert.equal((await open.play(job([look]))).logs[0], 'open\n')
  } finally {
    engine.close()
  }
})

test(
  'an engine that makes its socket while a job runs that is locked in stays out of its reach',
  { skip },
  async () => {
    using folder = tempFolder(homedir())
    using signs = tempFolder(homedir())
    writeFileSync(join(folder.path, 'beside'), 'seen\n')
    // Where only root can, also in the folder in which engines usually have theirs.
    const usual = process.getuid?.() === 0 ? [`/run/docker-${basename(folder.path)}.sock`] : []
    const [again, late] = [join(folder.path, 'docker.sock'), join(folder.path, 'other.sock')]
    const docker = { address: `unix://${again}` }
    const go = join(signs.path, 'go')
    const look = [again, late, ...usual].map((path) => `test -e ${path} && echo open || echo closed`).join('\n')
    const wait = run(`cat ${folder.path}/beside; echo up; until [ -e ${go} ]; do sleep 0.05; done\n${look}`)
    const before = await listening(again)
    try {
      await using it = await smallWorld({}, { isolation: { hide: [], network: true }, docker })
      const spec = job([wait])
      it.server.enqueue(spec)
      await it.server.until(() => it.server.logOf(spec.id, 0).includes('up'), 60_000)
      before.close()
      await once(before, 'close')
      const made = await Promise.all([again, late, ...usual].map(listening))
      try {
        writeFileSync(go, '')
        await it.server.finished(spec.id, 60_000)
      } finally {
        for (const server of made) server.close()
      }
      assert.equal(it.server.logOf(spec.id, 0).toString(), `seen\nup\n${'closed\n'.repeat(made.length)}`)
    } finally {
      before.close()
    }
  },
)

test('a job that is locked in finds in /run all but engines, as it is when the job begins', { skip }, async () => {
  using folder = tempFolder(homedir())
  const docker = { address: `unix://${folder.path}/docker.sock` }
  await using it = await smallWorld({}, { isolation: { hide: [], network: true }, docker })
  const names = run('ls -A /run; cat /etc/resolv.conf >/dev/null; touch /run/x 2>/dev/null || echo kept')
  await it.play(job([names]))
  const there = readdirSync('/run').filter(
    (name) => !/^(user|docker|containerd|podman|libpod|crio|buildkit|k3s|balena)/.test(name),
  )
  const said = (await it.play(job([names]))).logs[0]!.split('\n')
  // What comes and goes by itself meanwhile is not ours to tell.
  const gone = there.filter((name) => !said.includes(name) && existsSync(join('/run', name)))
  assert.deepEqual([gone, said.includes('docker.sock'), said.includes('kept')], [[], false, true])
  // Places are made ahead: what has come since then is there for the next job all the same.
  writeFileSync(join(folder.path, 'new'), 'seen\n')
  const looks = job([run(`cat ${folder.path}/new`)])
  assert.equal((await it.play(looks)).logs[0], 'seen\n')
})

test('jobs of the machine are told where the engine is that is lent to them', async () => {
  const docker = { address: 'unix:///nowhere/docker.sock', remoteDocker: { type: 'engine' } } as const
  await using it = await smallWorld({}, { docker })
  assert.equal((await it.play(job([run('echo $DOCKER_HOST')]))).logs[0], `${docker.address}\n`)
  await using other = await smallWorld({}, { docker: { address: docker.address } })
  assert.equal((await other.play(job([run('echo "<$DOCKER_HOST>"')]))).logs[0], '<>\n')
})

test('a job without a network reaches nobody', { skip }, async () => {
  await using it = await smallWorld({}, { isolation: { hide: [], network: false } })
  const { port } = new URL(it.server.url)
  const { outcome, logs } = await it.play(job([run(`! (exec 3<>/dev/tcp/127.0.0.1/${port}) && echo alone`)]))
  assert.match(logs[0]!, /alone\n$/)
  assert.equal(outcome, 'success')
})

test('a job that is locked in is stopped with all that it started', { skip }, async () => {
  await using it = await smallWorld({}, { isolation: { hide: [], network: true }, graceMs: 200 })
  const spec = job([run('setsid sleep 1000 & trap "" TERM; echo up; sleep 1000')])
  it.server.enqueue(spec)
  await it.server.until(() => it.server.logOf(spec.id, 0).includes('up'))
  it.server.change(spec.id, { canceled: true })
  assert.equal((await it.server.finished(spec.id)).outcome, 'canceled')
})
