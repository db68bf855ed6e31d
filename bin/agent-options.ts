import { resolve } from 'node:path'
import type { AgentOptions } from '#agent/agent.ts'
import { cloudsIn } from '#agent/executors/docker/clouds/endpoints.ts'
import { readSize } from '#agent/checkout/size.ts'
import { readLimits } from '#agent/executors/docker/limits.ts'
import type { RemoteDocker } from '#agent/executors/docker/dock.ts'
import { wordsOf } from '#agent/executors/words.ts'
import { type AgentFlags, agentFlags, checkFlag, readHosts } from '#cli/agent-flags.ts'

type Part = Pick<AgentOptions, 'docker' | 'machineImage' | 'withoutEngine' | 'isolation' | 'mirrors'>

/** The flags of an agent among what was given, in camel case; `--no-network` comes as false. */
export function flagsIn(given: Readonly<Record<string, string | boolean>>): AgentFlags {
  const found: Record<string, string> = {}
  for (const name of Object.keys(agentFlags)) {
    const value = given[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())]
    if (typeof value !== 'string') continue
    checkFlag(name, value)
    found[name] = value
  }
  if (given['network'] === false) found['no-network'] = ''
  return found
}

/** What an agent is told about running jobs; `environment` says where the machine has its engine, and the way to clouds. */
export function jobOptions(flags: AgentFlags, environment: NodeJS.ProcessEnv): Part {
  const dockerHost = environment['DOCKER_HOST']
  const { engine = 'auto', pull, limits, isolation = 'none', hide = '' } = flags
  const usual = dockerHost !== undefined && dockerHost !== '' ? dockerHost : 'unix:///var/run/docker.sock'
  return {
    ...(engine !== 'none' && {
      docker: {
        address: engine === 'auto' ? usual : engine,
        ...(pull !== undefined && { pull: pull as 'missing' | 'always' | 'never' }),
        ...(flags['docker-network'] !== undefined && { network: flags['docker-network'] }),
        ...(limits !== undefined && { limits: readLimits(limits) }),
        remoteDocker: remoteOf(flags['remote-docker'] ?? 'none'),
        clouds: cloudsIn(environment),
      },
    }),
    ...(flags['machine-image'] !== undefined && { machineImage: flags['machine-image'] }),
    mirrors: {
      ...(flags.mirrors !== undefined && { mostBytes: readSize(flags.mirrors) }),
      ...(flags['repository-hosts'] !== undefined && { hosts: readHosts(flags['repository-hosts']) }),
    },
    ...(flags['least-disk'] !== undefined && { leastFreeBytes: readSize(flags['least-disk']) }),
    withoutEngine: flags['without-engine'] === 'run' ? 'run' : 'refuse',
    ...(isolation === 'bubblewrap' && {
      isolation: {
        hide: hide
          .split(',')
          .filter(Boolean)
          .map((folder) => resolve(folder)),
        network: flags['no-network'] === undefined,
      },
    }),
  }
}

function remoteOf(word: string): RemoteDocker {
  if (word === 'none' || word === 'engine') return { type: word }
  if (word.startsWith('command:')) return { type: 'command', command: wordsOf(word.slice('command:'.length)) }
  return { type: 'image', image: word }
}
