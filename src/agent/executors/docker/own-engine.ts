import { spawn } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Leader, isAlive, signalGroup } from '#agent/executors/processes.ts'
import { Unready } from '#agent/executors/executor.ts'
import { readJson } from '#agent/whole-file.ts'
import { pause } from '#kit/backoff.ts'
import { openEngine } from './engine.ts'

/*
 * An engine of the job's own as a process of this machine, for operators who cannot or will not have privileged containers: the
 * usual one, started by root, or a rootless one. All it has lies in the folder of the job:
 *
 *   engine/run/    its socket; the container of the job sees this folder and nothing else of it
 *   engine/data/   images and containers
 */

/** An engine takes some seconds to start. */
const mostWaitMs = 60_000
/** How long it may take to end its containers. */
const mostEndMs = 15_000

const engineFolder = (folder: string) => join(folder, 'engine')
const processFile = (folder: string) => join(engineFolder(folder), 'process.json')

/** The folder with the socket, on this machine. */
export const socketFolder = (folder: string): string => join(engineFolder(folder), 'run')

/** Makes the folder with the socket, so that a container can be given it before there is an engine. */
export function makeSocketFolder(folder: string): string {
  mkdirSync(socketFolder(folder), { recursive: true, mode: 0o755 })
  return socketFolder(folder)
}

/** Starts the engine of a job, unless an earlier process of the agent has, and waits until it answers. */
export async function startOwnEngine(
  folder: string,
  command: readonly string[],
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const socket = join(makeSocketFolder(folder), 'docker.sock')
  const known = readJson<Leader>(processFile(folder))
  say(`Starting a docker engine: ${command.join(' ')}\n`)
  const hasEnded = known && isAlive(known) ? () => false : begin(folder, command, socket)
  const engine = openEngine(`unix://${socket}`)
  try {
    for (const end = performance.now() + mostWaitMs; ;) {
      signal.throwIfAborted()
      const version = await engine
        .ask<{ readonly Version: string }>('GET', '/version', { timeoutMs: 3000, signal })
        .catch(() => undefined)
      if (version) {
        // Whoever the user of the image is; on this machine the folder above keeps everybody out.
        chmodSync(socket, 0o666)
        return say(`The docker engine ${version.Version} is ready\n`)
      }
      const running = readJson<Leader>(processFile(folder))
      if (running ? !isAlive(running) : hasEnded())
        throw new Unready(`The docker engine has ended by itself${tail(folder)}`, 'agent')
      if (performance.now() > end) throw new Unready(`The docker engine was not ready in time${tail(folder)}`, 'agent')
      await pause(100, signal)
    }
  } finally {
    engine.close()
  }
}

/**
 * Writes down which process it is, in the words of `startOf`, and then becomes the engine: whoever started it may be killed in that moment, and
 * nobody would know of it. A link is made whole and once: where the next agent was quicker, this one goes away.
 */
const announced = `
set -e
umask 077
file=$1
shift
if [ -r /proc/$$/stat ]; then
  read -r boot </proc/sys/kernel/random/boot_id
  read -r line </proc/$$/stat
  nth() { shift 19; printf '%s' "$1"; }
  started="$boot $(nth \${line##*) })"
else
  started=$(ps -o lstart= -p $$ | sed 's/^ *//;s/ *$//')
fi
printf '{"pid":%s,"started":"%s"}' "$$" "$started" >"$file.$$"
ln "$file.$$" "$file" 2>/dev/null || { rm -f "$file.$$"; exit 0; }
rm -f "$file.$$"
umask 022
exec "$@"
`

/** Begins the engine, and says how to ask whether that has failed before it could write down which process it is. */
function begin(folder: string, command: readonly string[], socket: string): () => boolean {
  const own = engineFolder(folder)
  // Of one that has ended.
  rmSync(processFile(folder), { force: true })
  const places = { host: `unix://${socket}`, 'data-root': 'data', 'exec-root': 'exec', pidfile: 'pid' }
  const flags = Object.entries(places).map(([name, place]) => `--${name}=${name === 'host' ? place : join(own, place)}`)
  const log = openSync(join(own, 'log'), 'a', 0o600)
  try {
    const words = ['-c', announced, 'roundhouse-engine', processFile(folder), ...command, ...flags]
    const child = spawn('/bin/sh', words, { stdio: ['ignore', log, log], detached: true, cwd: own })
    child.unref()
    child.on('error', () => {})
    return () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null
  } finally {
    closeSync(log)
  }
}

/** Ends the engine of a job with everything in it; fine where there is none. Whatever it was asked for, its files can be removed then. */
export async function stopOwnEngine(folder: string): Promise<void> {
  const leader = readJson<Leader>(processFile(folder))
  if (!leader) return
  signalGroup(leader, 'SIGTERM')
  for (const end = performance.now() + mostEndMs; isAlive(leader) && performance.now() < end;) await pause(50)
  signalGroup(leader, 'SIGKILL')
}

/** What it last said. */
function tail(folder: string): string {
  try {
    const lines = readFileSync(join(engineFolder(folder), 'log'), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(-5)
    return `. Its last words:\n${lines.map((line) => `  ${line}`).join('\n')}`
  } catch {
    return ''
  }
}
