import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { jobFile } from '#agent/job-folder.ts'
import { closedDoors, lookOf } from './closed-doors.ts'

/** How jobs on this machine are locked in. */
export interface Isolation {
  /** Folders that jobs do not see, beside the agent's own. */
  readonly hide: readonly string[]
  readonly network: boolean
  /** The socket of the engine that this agent uses, if it has one. */
  readonly engine?: string | undefined
}

/** What stands before a command, so that it runs locked in and sees of the agent's files only the folder of its job. */
export interface Cage {
  (folder: string): readonly string[]
  /** Changes when what was locked in before does not see of the machine what it would see now. */
  look(): string
}

/**
 * Locks jobs in with bubblewrap: the machine can only be read, `/tmp` and `/var/tmp` are the job's own and last as long as
 * it does, the agent's folder is empty but for the job, other processes cannot be seen, no capability is left, and the
 * engines of the machine cannot be reached.
 */
export function cageOf(own: string, tools: string, { hide, network, engine }: Isolation): Cage {
  const seen = (how: '--bind' | '--ro-bind', path: string) => [how, path, path]
  const words = (folder: string) => [
    'bwrap',
    ...seen('--ro-bind', '/'),
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    ...closedDoors(engine, ownFolders),
    ...Object.entries(passing).flatMap(([path, name]) => ['--bind', join(folder, name), path]),
    ...['/dev/shm', ...hide, own].flatMap((path) => ['--tmpfs', path]),
    ...seen('--ro-bind', tools),
    ...seen('--bind', folder),
    // By the token and the keys in it a job could speak for itself.
    '--ro-bind',
    '/dev/null',
    jobFile(folder),
    '--unshare-pid',
    '--unshare-ipc',
    '--cap-drop',
    'ALL',
    ...(network ? [] : ['--unshare-net']),
    '--',
  ]
  return Object.assign(words, { look: () => lookOf(engine) })
}

/** Folders that each job has of its own, and where in the folder of the job they are. */
const passing: Readonly<Record<string, string>> = { '/tmp': 'tmp', '/var/tmp': 'var-tmp' }

/** The same folders as the job knows them. */
export const ownFolders: readonly string[] = Object.keys(passing)

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
    rmSync(jobFile(folder), { force: true })
  }
}
