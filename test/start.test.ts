import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { program } from './program.ts'

let folder: string
before(() => void (folder = mkdtempSync(join(tmpdir(), 'roundhouse-start-'))))
after(() => rmSync(folder, { recursive: true, force: true }))

interface Start {
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** roundhouse.yml. */
  readonly file?: string
}

let places = 0
/** An empty folder to start in. */
function newPlace(): string {
  const place = join(folder, String((places += 1)))
  mkdirSync(place)
  return place
}

/** Starts the program in a folder of its own, and waits until it has ended. One that does not end by itself is killed: asked to, it may not hear it. */
async function start({ args = ['up'], environment = {}, file }: Start, place = newPlace()) {
  if (file !== undefined) writeFileSync(join(place, 'roundhouse.yml'), file)
  const plain = Object.entries(process.env).filter(([name]) => !name.startsWith('ROUNDHOUSE_'))
  const child = spawn(process.execPath, [program, ...args], {
    cwd: place,
    env: { ...Object.fromEntries(plain), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
    killSignal: 'SIGKILL',
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: code as number | null, stdout, stderr, place }
}

/** Ends with 2 and one line that says this; nobody was told that anything listens. */
async function refused(how: Start, message: string | RegExp): Promise<void> {
  const { code, stdout, stderr, place } = await start(how)
  if (typeof message === 'string') assert.equal(stderr, `${message}\n`)
  else assert.match(stderr, message)
  assert.deepEqual([code, stdout], [2, ''])
  assert.equal(existsSync(join(place, 'data', 'admin-token')), false)
}

describe('what cannot be started is refused with the setting and where it came from, and ends with 2', () => {
  test('a data folder that is a file, lies below one, or where nothing can be made, in each of the three ways', async () => {
    const taken = join(folder, 'taken')
    writeFileSync(taken, 'mine')
    const file = 'it must be a folder, and is none'
    const below = 'it must be a folder, and lies below something that is none'
    await Promise.all([
      refused({ args: ['up', '--data', taken] }, `Cannot use ${JSON.stringify(taken)} for --data: ${file}`),
      refused(
        { environment: { ROUNDHOUSE_DATA: `${taken}/x` } },
        `Cannot use "${taken}/x" for ROUNDHOUSE_DATA: ${below}`,
      ),
    ])
    await Promise.all([
      refused({ file: `data: ${taken}/x/y` }, `Cannot use "${taken}/x/y" for data in roundhouse.yml: ${below}`),
      refused({ args: ['up', '--data', '/proc/none/x'] }, /^Cannot use "\/proc\/none\/x" for --data: .+\n$/),
      refused({ args: ['up', '--data', '/proc'] }, /^Cannot use "\/proc" for --data: .+\n$/),
    ])
  })

  test('an address that another program has, or that is not of this machine', async () => {
    const other = createServer()
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    try {
      const listen = `127.0.0.1:${(other.address() as AddressInfo).port}`
      const taken = await start({ environment: { ROUNDHOUSE_LISTEN: listen } })
      assert.deepEqual(
        [taken.code, taken.stdout, taken.stderr],
        [2, '', `Cannot use "${listen}" for ROUNDHOUSE_LISTEN: another program listens there\n`],
      )
      // It came as far as its keys, which are nobody else's to read.
      for (const [name, mode] of [
        ['', 0o700],
        ['admin-token', 0o600],
        ['secret.key', 0o600],
      ] as const)
        assert.equal(statSync(join(taken.place, 'data', name)).mode & 0o777, mode, name)
      // Of a network that is for examples: nobody has it.
      const strange = await start({ file: 'listen: 192.0.2.1:8080' })
      assert.deepEqual(
        [strange.code, strange.stderr],
        [2, 'Cannot use "192.0.2.1:8080" for listen in roundhouse.yml: this machine has no such address\n'],
      )
    } finally {
      other.close()
    }
  })

  test('a database that is not there, without what opens it', async () => {
    // A port that no program is given unless it asks for it, and that none asks for.
    const url = 'postgres://user:hunter2hunter2@127.0.0.1:1/ci'
    await refused(
      { environment: { ROUNDHOUSE_DATABASE_URL: url } },
      'Cannot use for ROUNDHOUSE_DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1',
    )
  })

  test('settings that need each other', async () => {
    await refused(
      { environment: { ROUNDHOUSE_SMTP_URL: 'smtp://user:hunter2@mail.example.com' } },
      'Cannot use for ROUNDHOUSE_SMTP_URL: mail-from must be set beside it',
    )
    await refused(
      { file: 'openid-issuer: https://id.example.com' },
      'Cannot use "https://id.example.com" for openid-issuer in roundhouse.yml: openid-client-id and openid-client-secret must be set beside it',
    )
  })

  test('a file of settings that cannot be read, or says something twice', async () => {
    const place = newPlace()
    mkdirSync(join(place, 'roundhouse.yml'))
    const { code, stderr } = await start({}, place)
    assert.deepEqual([code, /^Cannot read roundhouse\.yml: EISDIR.*\n$/.test(stderr)], [2, true], stderr)
    await refused(
      { file: 'data: a\nlisten: 127.0.0.1:0\ndata: b\n' },
      /^Cannot read roundhouse\.yml: .*unique.* line 3.*\n$/,
    )
  })

  test('a flag, a variable and a name in the file that nobody knows', async () => {
    await Promise.all([
      refused({ args: ['up', '--listn', 'x'] }, /^error: unknown option '--listn'/),
      refused({ environment: { ROUNDHOUSE_LISTN: 'x' } }, 'Unknown setting ROUNDHOUSE_LISTN in the environment'),
      refused({ file: 'listn: x' }, 'Unknown setting listn in roundhouse.yml'),
    ])
  })
})

test('settings are printed with where they come from, and no secret with them', async () => {
  const secrets = {
    ROUNDHOUSE_ADMIN_TOKEN: 'hunter2-hunter2-hunter2',
    ROUNDHOUSE_DATABASE_URL: 'postgres://user:hunter2@db.example.com/ci',
    ROUNDHOUSE_SMTP_URL: 'smtp://user:hunter2@mail.example.com',
    ROUNDHOUSE_OTLP_HEADERS: 'x-key=hunter2',
  }
  const how = { args: ['settings', '--data', 'here'], environment: secrets, file: 'agent-slots: 3' }
  const { code, stdout, stderr, place } = await start(how)
  assert.deepEqual([code, stderr, stdout.includes('hunter2')], [0, '', false])
  assert.match(stdout, /^data +here +flag /m)
  assert.match(stdout, /^admin-token +\(set\) +environment /m)
  assert.match(stdout, /^agent-slots +3 +file /m)
  assert.match(stdout, /^listen +127\.0\.0\.1:8080 +default /m)
  // Looking at them makes nothing.
  assert.equal(existsSync(join(place, 'here')), false)
})
