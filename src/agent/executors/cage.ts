import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** How jobs on this machine are locked in. */
export interface Isolation {
  /** Folders that jobs do not see, beside the agent's own. */
  readonly hide: readonly string[]
  readonly network: boolean
}

/** What stands before a command, so that it runs locked in and sees of the agent's files only the folder of its job. */
export type Cage = (folder: string) => readonly string[]

/**
 * Locks jobs in with bubblewrap: the machine can only be read, `/tmp` is the job's own, the agent's folder is empty but for
 * the job, other processes cannot be seen, and no capability is left.
 */
export function cageOf(own: string, tools: string, { hide, network }: Isolation): Cage {
  const seen = (how: '--bind' | '--ro-bind', path: string) => [how, path, path]
  return (folder) => [
    'bwrap',
    ...seen('--ro-bind', '/'),
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    ...['/tmp', '/var/tmp', '/dev/shm', ...hide, own].flatMap((path) => ['--tmpfs', path]),
    ...seen('--ro-bind', tools),
    ...seen('--bind', folder),
    '--unshare-pid',
    '--unshare-ipc',
    '--cap-drop',
    'ALL',
    ...(network ? [] : ['--unshare-net']),
    '--',
  ]
}

/** Why jobs cannot be locked in here, if they cannot. */
export async function obstacleTo(cage: Cage, folder: string): Promise<string | undefined> {
  const [program = '', ...words] = cage(folder)
  try {
    await promisify(execFile)(program, [...words, '/bin/sh', '-c', ':'], { timeout: 20_000 })
    return undefined
  } catch (error) {
    return `Cannot lock jobs in with bubblewrap: ${error instanceof Error ? error.message.trim() : String(error)}`
  }
}
