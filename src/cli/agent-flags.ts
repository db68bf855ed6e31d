import { readLimits } from '#agent/executors/docker/limits.ts'
import { isHost } from '#agent/checkout/hosts.ts'
import { readSize } from '#agent/checkout/size.ts'
import { wordsOf } from '#agent/executors/words.ts'

/*
 * How an agent runs jobs: flags of `roundhouse agent`, and of the built-in one in the setting agent-options.
 */

interface Flag {
  readonly about: string
  /** What stands for the value in the help; a flag without one is given or not. */
  readonly value?: string
  readonly check?: (text: string) => void
}

const oneOf =
  (...words: readonly string[]) =>
  (text: string): void => {
    if (!words.includes(text)) throw new Error(`it must be one of ${words.join(', ')}`)
  }

function engine(text: string): void {
  if (!/^(auto|none|unix:\/\/\/.+|tcp:\/\/.+)$/.test(text))
    throw new Error('it must be auto, none, unix://<path> or tcp://<host>:<port>')
}

function remoteDocker(text: string): void {
  if (text === 'command:' || /^command:\s/.test(text)) throw new Error('it must name a program behind command:')
}

/** The hosts in a list with commas. */
export function readHosts(text: string): readonly string[] {
  const hosts = text.split(/[\s,]+/).filter(Boolean)
  const wrong = hosts.find((host) => !isHost(host))
  if (wrong !== undefined) throw new Error(`${wrong} is no host, host:port or *.domain`)
  return hosts
}

export const agentFlags = {
  engine: {
    about: 'the docker engine: auto, none, or its address; auto is DOCKER_HOST or unix:///var/run/docker.sock',
    value: 'address',
    check: engine,
  },
  'without-engine': {
    about: 'docker jobs where no engine answers: run (on this machine, without their images) or refuse',
    value: 'what',
    check: oneOf('run', 'refuse'),
  },
  pull: {
    about: 'when images are pulled: missing, always or never',
    value: 'when',
    check: oneOf('missing', 'always', 'never'),
  },
  'docker-network': { about: 'network of the engine that jobs are put into', value: 'name' },
  limits: {
    about: 'resource classes that are not the usual ones: small=0.5/512M,big=8/32G',
    value: 'list',
    check: (text: string) => void readLimits(text),
  },
  'remote-docker': {
    about:
      'what setup_remote_docker gives: none, engine (of this agent), an image with an engine in it, or command:<what starts an engine for each job>',
    value: 'what',
    check: remoteDocker,
  },
  mirrors: {
    about: 'how much the repositories that it keeps for the next checkout may take, as 512M or 20G; 10G unless given',
    value: 'size',
    check: (text: string) => void readSize(text),
  },
  'repository-hosts': {
    about: 'hosts that repositories are fetched from, separated by commas: host, host:port, *.domain; any unless given',
    value: 'hosts',
    check: (text: string) => void readHosts(text),
  },
  'least-disk': {
    about: 'with less left on its disk the agent takes no jobs, as 512M or 20G; 256M unless given',
    value: 'size',
    check: (text: string) => void readSize(text),
  },
  'machine-image': { about: 'image in which machine jobs run; on this machine unless given', value: 'image' },
  isolation: {
    about: 'how jobs on this machine are locked in: none or bubblewrap',
    value: 'how',
    check: oneOf('none', 'bubblewrap'),
  },
  hide: { about: 'folders that jobs in bubblewrap do not see, separated by commas', value: 'folders' },
  'no-network': { about: 'jobs in bubblewrap have no network' },
} as const satisfies Record<string, Flag>

/** The values of agent flags, by their names. */
export type AgentFlags = Readonly<{ [N in keyof typeof agentFlags]?: string }>

/** Refuses a value that its flag cannot have. */
export function checkFlag(name: string, value: string): void {
  const flag: Flag | undefined = Object.hasOwn(agentFlags, name)
    ? agentFlags[name as keyof typeof agentFlags]
    : undefined
  if (!flag) throw new Error(`there is no --${name}`)
  try {
    flag.check?.(value)
  } catch (error) {
    throw new Error(`--${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** Reads flags from one line, as in the setting agent-options, and gives its words if all of them are good. */
export function readAgentOptions(line: string): readonly string[] {
  const words = wordsOf(line)
  for (let i = 0; i < words.length; i++) {
    const name = words[i]?.replace(/^--/, '') ?? ''
    if (!words[i]?.startsWith('--')) throw new Error(`${words[i]} is not a flag`)
    const takesValue = Object.hasOwn(agentFlags, name) && 'value' in agentFlags[name as keyof typeof agentFlags]
    const value = takesValue ? words[++i] : ''
    if (value === undefined) throw new Error(`--${name} needs a value`)
    checkFlag(name, value)
  }
  return words
}
