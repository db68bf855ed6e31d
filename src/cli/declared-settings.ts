import { minutes, type Prices } from '#core/insights/credits.ts'
import { readAgentOptions } from './agent-flags.ts'
import { readHeaders, readPrices } from './insight-settings.ts'

/*
 * Every setting, declared once: as a flag (--base-url), as a variable (ROUNDHOUSE_BASE_URL) and in roundhouse.yml (base-url).
 */

interface Setting<T> {
  readonly about: string
  readonly fallback: T
  readonly read: (text: string) => T
  readonly secret?: true
}

const setting = <T>(about: string, fallback: T, read: (text: string) => T, secret?: true): Setting<T> => ({
  about,
  fallback,
  read,
  ...(secret && { secret }),
})

function text(value: string): string {
  if (!/^\P{Cc}+$/u.test(value)) throw new Error('it must be a line of text')
  return value
}

function whole(least: number, most: number) {
  return (value: string): number => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < least || number > most)
      throw new Error(`it must be a whole number from ${least} to ${most}`)
    return number
  }
}

function oneOf<const W extends string>(...words: readonly W[]) {
  return (value: string): W => {
    const found = words.find((word) => word === value)
    if (!found) throw new Error(`it must be one of ${words.join(', ')}`)
    return found
  }
}

function onOff(value: string): boolean {
  if (/^(on|true|yes|1)$/i.test(value)) return true
  if (/^(off|false|no|0)$/i.test(value)) return false
  throw new Error('it must be on or off')
}

function address(value: string): string {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[^:\s/]+):(\d{1,5})$/i.exec(value) ?? []
  if (host === undefined || Number(port) > 65_535) throw new Error('it must be <host>:<port>')
  return value
}

function mailServer(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') throw new Error('it must be an smtp address')
  return value
}

function mailbox(value: string): string {
  if (!/^[^\p{Cc}]*\S@[^\s@>]+>?$/u.test(value)) throw new Error('it must be a mail address')
  return value
}

function webAddress(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  // Spaces and control characters, which reading an address forgives, would stand in every link.
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || /[\s\p{Cc}\\]/u.test(value))
    throw new Error('it must be an http or https address')
  if (url.username !== '' || url.password !== '') throw new Error('it must be an address without a user')
  return value.replace(/\/+$/, '')
}

function database(value: string): string {
  if (!/^postgres(ql)?:\/\/[^\s\p{Cc}]+$/u.test(value)) throw new Error('it must begin with postgres://')
  if (!URL.canParse(value))
    throw new Error('it must be an address: what stands in a password is written as in one, %40 for @')
  return value
}

function token(value: string): string {
  if (!/^[\x21-\x7e]{16,500}$/.test(value) || value.includes(':'))
    throw new Error('it must have 16 to 500 printable characters, without spaces and colons')
  return value
}

const list = (value: string): readonly string[] => value.split(/[\s,]+/).filter(Boolean)

/** Each as it stands in an address: `ci.internal`, `10.0.0.1:8080`, `[fd00::1]`. */
function hosts(value: string): readonly string[] {
  const all = list(value)
  const bad = all.find((host) => !/^(\[[0-9a-f:.]+\]|[^\p{Cc}:/@?#[\]]+)(:\d{1,5})?$/iu.test(host))
  if (bad !== undefined) throw new Error(`each must be a host, or <host>:<port>, and ${bad} is not`)
  return all
}

/** Each an address, a network such as 10.0.0.0/8, or a word for several of them. */
function proxies(value: string): readonly string[] {
  const all = list(value)
  const bad = all.find((one) => !/^(loopback|linklocal|uniquelocal)$/.test(one) && !isNetwork(one))
  if (bad !== undefined) throw new Error(`each must be an address, or a network such as 10.0.0.0/8, and ${bad} is not`)
  return all
}

function isNetwork(value: string): boolean {
  const [, ip = '', bits] = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i.exec(value) ?? []
  const isFour = /^(\d{1,3}\.){3}\d{1,3}$/.test(ip) && ip.split('.').every((part) => Number(part) <= 255)
  if (!isFour && !(ip.includes(':') && URL.canParse(`http://[${ip}]`))) return false
  return bits === undefined || Number(bits) <= (isFour ? 32 : 128)
}

function addresses(value: string): readonly string[] {
  const all = list(value)
  const bad = all.find((prefix) => !URL.canParse(prefix) || !/^https?:$/.test(new URL(prefix).protocol))
  if (bad !== undefined) throw new Error(`each must be an http or https address, and ${bad} is not`)
  return all
}

/** What an operator says of one provider. */
const provider = <const C extends string>(code: C, what: string, web: string) =>
  ({
    [`${code}-url`]: setting(`Where ${what} is`, web, webAddress),
    [`${code}-api-url`]: setting<string | undefined>(`Its interface, where that lies elsewhere`, undefined, webAddress),
    [`${code}-token`]: setting<string | undefined>(
      `Token for projects that have none of their own`,
      undefined,
      text,
      true,
    ),
    [`${code}-client-id`]: setting<string | undefined>(
      `What it calls this installation, to sign in there`,
      undefined,
      text,
    ),
    [`${code}-client-secret`]: setting<string | undefined>(`What proves it`, undefined, text, true),
  }) as { readonly [N in `${C}-url`]: Setting<string> } & {
    readonly [N in `${C}-${'api-url' | 'token' | 'client-id' | 'client-secret'}`]: Setting<string | undefined>
  }

export const declared = {
  listen: setting('Where to listen', '127.0.0.1:8080', address),
  data: setting('Folder of the database, repositories, logs and keys', 'data', text),
  'orb-registry': setting<string | undefined>(
    'Folder or git address of packed orbs, <namespace>/<name>/<version>.yml; orbs in the data folder unless set',
    undefined,
    text,
  ),
  'orb-urls': setting<readonly string[]>(
    'What the address of an orb must begin with: https://host/path/, several with commas; none unless set',
    [],
    addresses,
  ),
  'database-url': setting<string | undefined>(
    'PostgreSQL instead of the SQLite file in the data folder',
    undefined,
    database,
    true,
  ),
  'base-url': setting<string | undefined>(
    'Where people reach the service; http://<listen> unless set',
    undefined,
    webAddress,
  ),
  'admin-token': setting<string | undefined>(
    'Token of the first user, admin; made and kept in the data folder unless set',
    undefined,
    token,
    true,
  ),
  server: setting<string | undefined>(
    'The server that commands ask; the one that these settings would start unless set',
    undefined,
    webAddress,
  ),
  token: setting<string | undefined>('Your token at that server', undefined, token, true),
  'agent-slots': setting('Jobs that the built-in agent runs at once; 0 for none', 2, whole(0, 1000)),
  'agent-options': setting<readonly string[]>(
    'How the built-in agent runs jobs: flags of roundhouse agent, such as --engine none',
    [],
    readAgentOptions,
  ),
  sample: setting('Push and build a sample project on the first start', true, onOff),
  dialect: setting('Whose names to emit where only one can be', 'service' as const, oneOf('service', 'circle')),
  'hosted-as': setting(
    'Provider code of what is pushed to the built-in git host',
    'provider-a' as const,
    oneOf('provider-a', 'provider-b', 'provider-c'),
  ),
  // A server that is away for a minute must cost no job: to that come the age of the last heartbeat and the time that stopping takes.
  'lease-seconds': setting('An agent that is silent for this long has lost its jobs', 120, whole(2, 3600)),
  'accept-seconds': setting(
    'A job that an agent took and never spoke of goes back to the queue after this long',
    15,
    whole(1, 3600),
  ),
  'lost-job-retries': setting('How often a job is tried again when its agent was lost', 1, whole(0, 10)),
  'job-minutes': setting('The longest time a job may run', 300, whole(1, 10_080)),
  'step-log-megabytes': setting('How much is kept of what one step prints', 512, whole(1, 1_048_576)),
  'ssh-idle-minutes': setting('How long a job with SSH waits for somebody to come, or come back', 10, whole(1, 1440)),
  'ssh-minutes': setting('How long a job with SSH stays after its steps, whoever is there', 120, whole(1, 1440)),
  'ssh-listen': setting('Where the built-in agent takes SSH connections; port 0 for any', '127.0.0.1:0', address),
  'ssh-host': setting<string | undefined>('The host that people are told to connect to by SSH', undefined, text),
  'cache-days': setting('How long caches are kept', 15, whole(1, 365)),
  'workspace-days': setting('How long the workspaces of workflows are kept', 15, whole(1, 365)),
  'artifact-days': setting('How long artifacts are kept', 30, whole(1, 3650)),
  'test-days': setting('How long test results are kept', 90, whole(1, 3650)),
  'archive-megabytes': setting('The largest cache or workspace layer, packed', 10_240, whole(1, 1_048_576)),
  'unpacked-megabytes': setting('The same, unpacked', 51_200, whole(1, 10_485_760)),
  'artifact-megabytes': setting('The largest artifact', 3_072, whole(1, 1_048_576)),
  'webhook-hosts': setting<readonly string[]>(
    'Hosts inside our own network, or without TLS, that webhooks may go to',
    [],
    hosts,
  ),
  'repository-hosts': setting<readonly string[]>(
    'Hosts inside our own network that repositories may be fetched from',
    [],
    hosts,
  ),
  'rate-limit': setting(
    'Requests a second that a user may make for each kind of resource; 0 for any',
    50,
    whole(0, 1_000_000),
  ),
  'rate-burst': setting('How many of them at once', 300, whole(1, 1_000_000)),
  'trusted-proxies': setting<readonly string[]>('Addresses of proxies whose X-Forwarded-For is believed', [], proxies),
  'smtp-url': setting<string | undefined>(
    'Server through which mail is sent, smtp://user:password@host:587 or smtps://...; no mail unless set',
    undefined,
    mailServer,
    true,
  ),
  'smtp-ca': setting<string | undefined>(
    'File of certificates (PEM) that vouch for it, beside those that this machine trusts',
    undefined,
    text,
  ),
  'mail-from': setting<string | undefined>('From whom mail comes, such as Builds <ci@example.com>', undefined, mailbox),
  'delivery-days': setting('How long the log of deliveries is kept', 30, whole(1, 3650)),
  'openid-issuer': setting<string | undefined>('OpenID provider at which people may sign in', undefined, webAddress),
  'openid-client-id': setting<string | undefined>('What the provider calls this installation', undefined, text),
  'openid-client-secret': setting<string | undefined>('What proves it to the provider', undefined, text, true),
  'openid-name': setting('What people call the provider', 'OpenID', text),
  'openid-creates-users': setting('Whether whoever the provider lets in gets an account', false, onOff),
  'provider-a-kind': setting('What provider-a speaks', 'github' as const, oneOf('github', 'gitea')),
  ...provider('provider-a', 'GitHub, Gitea or Forgejo', 'https://github.com'),
  ...provider('provider-b', 'Bitbucket', 'https://bitbucket.org'),
  ...provider('provider-c', 'GitLab', 'https://gitlab.com'),
  'provider-creates-users': setting('Whether whoever a provider lets in gets an account', false, onOff),
  'provider-permissions': setting(
    'Whether people who signed in at a provider may do here what it lets them do with a repository',
    false,
    onOff,
  ),
  'provider-source': setting(
    'Where commits and configurations at providers are read: git keeps a mirror, provider asks their interface',
    'git' as const,
    oneOf('git', 'provider'),
  ),
  'hook-days': setting('How long hooks of providers are kept, to look at and to replay', 7, whole(1, 365)),
  'insights-days': setting(
    'How long single runs are kept for insights; their days are kept for ever',
    90,
    whole(1, 3650),
  ),
  'success-rate': setting('Of which runs a success rate is taken', 'all' as const, oneOf('all', 'not-canceled')),
  credits: setting<Prices>('What a minute costs: medium=10,large=20,*=5; one credit unless set', minutes, readPrices),
  'otlp-url': setting<string | undefined>(
    'Collector of traces, by OTLP over HTTP: http://host:4318/v1/traces; none unless set',
    undefined,
    webAddress,
  ),
  'otlp-headers': setting<Readonly<Record<string, string>> | undefined>(
    'Headers for it: name=value, several with commas',
    undefined,
    readHeaders,
    true,
  ),
  'drain-seconds': setting('How long a stop waits for running jobs', 20, whole(0, 86_400)),
  'log-level': setting('What is written to the log', 'info' as const, oneOf('error', 'warn', 'info')),
} as const

export type SettingName = keyof typeof declared
export type Settings = {
  readonly [N in SettingName]: ReturnType<(typeof declared)[N]['read']> | (typeof declared)[N]['fallback']
}
