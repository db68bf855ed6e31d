import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
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
 * Locks jobs in with bubblewrap: the machine can only be read, `/tmp` and `/var/tmp` are the job's own and last as long as
 * it does, the agent's folder is empty but for the job, other processes cannot be seen, and no capability is left.
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
    ...Object.entries(passing).flatMap(([path, name]) => ['--bind', join(folder, name), path]),
    ...['/dev/shm', ...hide, own].flatMap((path) => ['--tmpfs', path]),
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

/** Folders that each job has of its own, and where in the folder of the job they are. */
const passing: Readonly<Record<string, string>> = { '/tmp': 'tmp', '/var/tmp': 'var-tmp' }

/** Makes what a cage expects in the folder of a job. */
export function furnish(folder: string): void {
  for (const name of Object.values(passing)) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
}

/** Where the agent finds what a job that is locked in knows by this path. */
export function outside(folder: string, path: string): string {
  const whole = resolve(path)
  // The folder of the job is where it is, also where that is below one of these.
  if (whole === folder || whole.startsWith(folder + sep)) return whole
  const found = Object.entries(passing).find(([own]) => whole === own || whole.startsWith(own + sep))
  return found ? join(folder, found[1], whole.slice(found[0].length)) : whole
}

/** Why jobs cannot be locked in here, if they cannot. */
export async function obstacleTo(cage: Cage, folder: string): Promise<string | undefined> {
  const [program = '', ...words] = cage(folder)
  try {
    furnish(folder)
    await promisify(execFile)(program, [...words, '/bin/sh', '-c', ':'], { timeout: 20_000 })
    return undefined
  } catch (error) {
    return `Cannot lock jobs in with bubblewrap: ${error instanceof Error ? error.message.trim() : String(error)}`
  } finally {
    for (const name of Object.values(passing)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}
