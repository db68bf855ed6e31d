import { readFileSync } from 'node:fs'
import { runAgent } from '#agent/agent.ts'
import { toExecutors } from '#agent/offer.ts'
import { flagsIn, jobOptions } from './agent-options.ts'
import { collectOften, giveBackWhenIdle } from './give-back.ts'

type Given = Readonly<Record<string, string | boolean>>

/** Runs an agent until it is asked to stop; asked twice, it stops at once and its jobs go on without it. */
export async function agent(given: Given, version: string): Promise<void> {
  const drain = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (drain.signal.aborted) process.exit(0)
      drain.abort()
    })
  }
  if (given['withParent'] === true) process.stdin.on('end', () => process.exit(0)).resume()
  try {
    const options = optionsOf(given, version)
    using _idle = giveBackWhenIdle()
    using _small = collectOften()
    process.exit((await runAgent(options, drain.signal)) === 'drained' ? 0 : 1)
  } catch (error) {
    console.error(`agent: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

function optionsOf(given: Given, version: string) {
  const { server = '', folder = 'agent', name, slots = '2', ...rest } = given as Readonly<Record<string, string>>
  if (!/^https?:\/\/\S+$/.test(server))
    throw new Error(`Cannot work for server ${server} as it must be an http or https address: it is not`)
  if (!/^\d{1,4}$/.test(slots) || Number(slots) < 1 || Number(slots) > 1000)
    throw new Error(`Cannot work with ${slots} slots as there must be 1 to 1000 of them`)
  const executors = list(rest['executors'])
  return {
    server: server.replace(/\/+$/, ''),
    token: tokenOf(rest['tokenFile']),
    folder,
    ...(name !== undefined && { name }),
    slots: Number(slots),
    resourceClasses: list(rest['resourceClasses']),
    labels: list(rest['labels']),
    ...(executors.length > 0 && { executors: toExecutors(executors) }),
    version,
    ssh: {
      ...(rest['sshListen'] !== undefined && { listen: rest['sshListen'] }),
      ...(rest['sshHost'] !== undefined && { host: rest['sshHost'] }),
      forwarding: given['sshForwarding'] === true,
    },
    ...jobOptions(flagsIn(given), process.env),
    log: (line: string) => console.log(`${name === undefined ? 'agent' : `agent ${name}`}: ${line}`),
  }
}

/** From a file or from the environment, never from the arguments: those can be read by anybody on the machine. */
function tokenOf(file: string | undefined): string {
  const token = file === undefined ? process.env['ROUNDHOUSE_AGENT_TOKEN'] : readFileSync(file, 'utf8').trim()
  if (token === undefined || token === '')
    throw new Error('Cannot work without a token: give --token-file or set ROUNDHOUSE_AGENT_TOKEN')
  delete process.env['ROUNDHOUSE_AGENT_TOKEN']
  return token
}

const list = (text = ''): readonly string[] => text.split(/[\s,]+/).filter(Boolean)
