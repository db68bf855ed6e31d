/** What ssh may use to reach one host. */
export interface SshAccess {
  readonly keyFile: string | undefined
  readonly knownHosts: string
  readonly host: string | undefined
  /** Connected to instead of asking for the address of the host, whose name is still the one that its key must fit. */
  readonly address: string | undefined
}

/**
 * The command by which git calls ssh: nothing of the user who runs the server takes part, no question is asked.
 * A host that is met for the first time is believed and remembered; one whose key has changed is refused.
 */
export function sshCommand({ keyFile, knownHosts, host, address }: SshAccess): string {
  const options = [
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    `IdentityFile=${keyFile === undefined ? 'none' : quoted(keyFile)}`,
    'StrictHostKeyChecking=accept-new',
    `UserKnownHostsFile=${quoted(knownHosts)}`,
    'GlobalKnownHostsFile=/dev/null',
    'ConnectTimeout=20',
    'ServerAliveInterval=15',
    ...(address !== undefined && host !== undefined ? [`HostName=${address}`, `HostKeyAlias=${host}`] : []),
  ]
  return ['ssh', '-F', '/dev/null', ...options.flatMap((option) => ['-o', option])].map(forShell).join(' ')
}

/** ssh splits file names at blanks unless they are quoted, and expands percent signs even then. */
const quoted = (path: string) => `"${path.replaceAll('%', '%%')}"`

const forShell = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`
