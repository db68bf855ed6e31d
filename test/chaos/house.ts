import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { client } from '#contract/client.ts'
import { prefixes } from '#contract/catalog.ts'
import { freePort } from '#test/free-port.ts'
import { type Ended, run, type Running } from './process.ts'
import { until } from './until.ts'

/** The token of user admin in every house. */
export const token = 'chaos-admin-token-0123456789'

/** A server with a data folder and an address that outlive its process. */
export interface House {
  readonly url: string
  readonly folder: string
  /** Calls generation 2, and our own interface. */
  readonly v2: ReturnType<typeof client>
  readonly rh: ReturnType<typeof client>
  /** Resolves when it answers. With other settings than those it was opened with where some are given. */
  start(differently?: Readonly<Record<string, string>>): Promise<void>
  /** Kills the server; its agent, where it has one, goes on. */
  kill(): Promise<void>
  /** Kills the server with its agent. */
  killGroup(): Promise<void>
  /** Kills whatever is left of all of its processes. */
  killAll(): Promise<void>
  /** The id of the server's process. */
  pid(): number | undefined
  terminate(): Promise<Ended>
  output(): string
  /** The built-in agents that run now, also those of earlier processes of the server. */
  builtInAgents(): readonly number[]
}

/** Prepares a server; settings are named as in the environment, without ROUNDHOUSE_. `path` is where it finds programs, unless where we do. */
export async function openHouse(
  folder: string,
  settings: Readonly<Record<string, string>>,
  path?: string,
): Promise<House> {
  const address = `127.0.0.1:${await freePort()}`
  const url = `http://${address}`
  const output = join(folder, 'server.log')
  const data = join(folder, 'data')
  mkdirSync(folder, { recursive: true })
  const all = {
    LISTEN: address,
    DATA: data,
    SAMPLE: 'off',
    ADMIN_TOKEN: token,
    AGENT_SLOTS: '0',
    WEBHOOK_HOSTS: '127.0.0.1',
    // Where no lease is to end, none does because the machine stood still.
    LEASE_SECONDS: '600',
    ...settings,
  }
  const environment = (differently: Readonly<Record<string, string>>) => ({
    ...Object.fromEntries(
      Object.entries({ ...all, ...differently }).map(([name, value]) => [`ROUNDHOUSE_${name}`, value]),
    ),
    ...(path !== undefined && { PATH: path }),
  })
  const runs: Running[] = []
  let running: Running | undefined

  return {
    url,
    folder: data,
    v2: client(url + prefixes.v2, token, patient),
    rh: client(url + prefixes.rh, token, patient),
    async start(differently = {}) {
      const started = run(['up'], { cwd: folder, environment: environment(differently), output })
      running = started
      runs.push(started)
      let gone: Ended | undefined
      void started.ended.then((ended) => (gone = ended))
      await until(
        'the server answers',
        async () =>
          gone !== undefined ||
          (await patient(`${url}/api/v2/me`, { headers: { 'service-token': token } })).ok ||
          undefined,
      )
      if (gone)
        throw new Error(
          `The server ended with ${JSON.stringify(gone)} when it was started:\n${started.output().slice(-3000)}`,
        )
    },
    kill: async () => running?.kill(),
    killGroup: async () => running?.killGroup(),
    async killAll() {
      for (const each of runs) await each.killGroup()
    },
    pid: () => running?.pid,
    async terminate() {
      if (!running) throw new Error('Cannot stop a server that was not started')
      running.send('SIGTERM')
      return running.ended
    },
    output: () => running?.output() ?? '',
    builtInAgents: () => processesNaming(join(data, 'agent')),
  }
}

/** No request of a test waits for longer than this: a server that was killed may leave one unanswered. */
const patient: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(180_000) })

/** The processes with a word among their arguments. */
function processesNaming(word: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && argumentsOf(pid).includes(word))
}

function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    // It ended while we looked.
    return []
  }
}
