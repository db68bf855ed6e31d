import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine } from '#agent/executors/docker/engine.ts'
import { pause } from '#kit/backoff.ts'

/** An engine of our own, gone with everything in it when it is disposed of. */
export interface TestEngine extends AsyncDisposable {
  readonly address: string
  /** Runs `docker` against it and gives what it prints. */
  docker(...words: string[]): string
  /** Ends the engine in good order and starts it again: its containers end with it. */
  restart(): Promise<void>
}

/**
 * The shell stays between us and the engine: when we end, however we end, its input closes, and it takes the engine and its
 * files with it. `restart` on its input ends the engine and starts it again.
 */
const guard = `
folder=$1; bridge=$2; shift 2
start() { "$@" >>"$folder/log" 2>&1 & engine=$!; }
start "$@"
while read -r _; do kill $engine; wait $engine; start "$@"; done
kill $engine 2>/dev/null; wait $engine
ip link delete "$bridge"
rm -rf "$folder" || { sleep 1; rm -rf "$folder"; }`

/** The image of the tests: busybox, a user without rights, and nothing else. */
export const busybox = 'roundhouse-test/busybox:1'
/** The same, that says it listens on port 8099, and does so after a moment. */
export const listener = 'roundhouse-test/listener:1'

/** Nothing but a shell. */
export const bare = 'roundhouse-test/bare:1'
/** Stands in for an engine in a container: listens where one would. */
export const remote = 'roundhouse-test/remote:1'

/**
 * Engines that run side by side must not share `docker0` and the packet filter of the machine: one that starts or ends
 * takes away what the containers of another were just given. Made by the kernel in one move, a name is nobody else's.
 */
function ownBridge(): { readonly name: string; readonly range: string } {
  for (let i = 1; i < 255; i++) {
    const name = `rhtest${i}`
    if (spawnSync('ip', ['link', 'add', name, 'type', 'bridge']).status !== 0) continue
    execFileSync('ip', ['address', 'add', `198.18.${i}.1/24`, 'dev', name])
    execFileSync('ip', ['link', 'set', name, 'up'])
    return { name, range: `198.18.${i}.0/24` }
  }
  throw new Error('Cannot start an engine: no bridge can be made')
}

/** How an engine of a test differs from others. */
interface Unusual {
  readonly words?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts a docker engine with an empty folder of its own, for as long as the caller lives at most. Needs root. */
export async function startEngine({ words: more = [], environment = {} }: Unusual = {}): Promise<TestEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'roundhouse-docker-'))
  const address = `unix://${folder}/docker.sock`
  const places = { '--data-root': 'data', '--exec-root': 'exec', '--pidfile': 'pid' }
  const words = Object.entries(places).flatMap(([flag, name]) => [flag, join(folder, name)])
  const bridge = ownBridge()
  const network = [`--bridge=${bridge.name}`, `--fixed-cidr=${bridge.range}`, '--iptables=false', '--ip6tables=false']
  const command = ['dockerd', '-H', address, '--shutdown-timeout', '1', ...network, ...words, ...more]
  const server = spawn('/bin/sh', ['-c', guard, 'docker-guard', folder, bridge.name, ...command], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, ...environment },
  })
  const docker = (...given: string[]) =>
    execFileSync('docker', given, { env: { ...process.env, DOCKER_HOST: address }, encoding: 'utf8', stdio: 'pipe' })
  try {
    await answers(address)
    importImages(folder, docker)
  } catch (error) {
    await stop(server)
    throw error
  }
  return {
    address,
    docker,
    async restart() {
      const before = readFileSync(join(folder, 'pid'), 'utf8')
      server.stdin?.write('restart\n')
      for (let i = 0; i < 1800 && (pidIn(folder) ?? before) === before; i++) await pause(100)
      await answers(address)
    },
    [Symbol.asyncDispose]: () => stop(server),
  }
}

function pidIn(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, 'pid'), 'utf8')
  } catch {
    return undefined
  }
}

async function answers(address: string): Promise<void> {
  const engine = openEngine(address)
  try {
    for (let i = 0; ; i++) {
      try {
        return void (await engine.ask('GET', '/version', { timeoutMs: 3000 }))
      } catch (error) {
        if (i === 1800) throw error
        await pause(100)
      }
    }
  } finally {
    engine.close()
  }
}

const applets =
  'sh cat ls echo sleep mkdir rm find tar env id dd kill nc tail true false chmod ps grep wc touch ln stat cut'

function importImages(folder: string, docker: TestEngine['docker']): void {
  const tree = join(folder, 'tree')
  for (const path of ['bin', 'etc', 'root', 'tmp', 'home/ci']) mkdirSync(join(tree, path), { recursive: true })
  copyFileSync('/bin/busybox', join(tree, 'bin/busybox'))
  for (const name of new Set(applets.split(' '))) symlinkSync('busybox', join(tree, 'bin', name))
  writeFileSync(join(tree, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nci:x:1000:1000:ci:/home/ci:/bin/sh\n')
  chownSync(join(tree, 'home/ci'), 1000, 1000)
  const archive = join(folder, 'tree.tar')
  execFileSync('tar', ['-c', '-C', tree, '-f', archive, '.'])
  docker('import', archive, busybox)
  const entry = 'ENTRYPOINT ["sh", "-c", "sleep 1; exec nc -ll -s 127.0.0.1 -p 2375 -e echo engine"]'
  docker('import', '--change', entry, archive, remote)
  execFileSync('tar', ['-c', '-C', tree, '-f', `${archive}.bare`, './bin/busybox', './bin/sh'])
  docker('import', `${archive}.bare`, bare)
  docker(
    'import',
    '--change',
    'EXPOSE 8099',
    '--change',
    'CMD sleep 1; exec nc -ll -p 8099 -e echo served',
    archive,
    listener,
  )
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const ended = once(server, 'exit')
  server.stdin?.end()
  await ended
}
