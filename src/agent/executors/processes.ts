import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A process that was started as the leader of its own session, told from a later one with the same number. */
export interface Leader {
  readonly pid: number
  /** When it was started, in the words of this machine; changes with a reboot. */
  readonly started: string
  /** What it calls itself; nothing where an earlier version of the agent started it. */
  readonly name?: string
}

const linux = process.platform === 'linux'
let boot: string | undefined

/** When a process was started; undefined when there is none, or only what its parent has not collected yet. */
export function startOf(pid: number): string | undefined {
  try {
    if (!linux)
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
    const { state, start } = statOf(pid)
    boot ??= told('sys/kernel/random/boot_id').trim()
    return isDead(state) ? undefined : `${boot} ${start}`
  } catch {
    return undefined
  }
}

/** Whether this very process still runs. */
export const isAlive = (leader: Leader): boolean => startOf(leader.pid) === leader.started

/** Sends a signal to everything in the leader's group; nothing if the number has since been given to another process. */
export function signalGroup(leader: Leader, signal: 'SIGTERM' | 'SIGKILL'): void {
  const now = startOf(leader.pid)
  if (now !== undefined && now !== leader.started) return
  try {
    process.kill(-leader.pid, signal)
  } catch {
    // Nobody is left, which is what was wanted.
  }
}

/** Whether anybody but the leader itself still runs in its group. */
export function hasMembers(leader: Leader): boolean {
  if (!linux) return canSignal(-leader.pid) && !isAlive(leader)
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === leader.pid) continue
    try {
      const { state, group } = statOf(pid)
      if (group === leader.pid && !isDead(state)) return true
    } catch {
      // It ended while we looked.
    }
  }
  return false
}

/** The number of the process made last; undefined where the machine does not tell. */
export function lastPid(): number | undefined {
  try {
    return linux ? Number(told('loadavg').split(' ')[4]) : undefined
  } catch {
    return undefined
  }
}

/** More processes than this made on the machine meanwhile: looking at each would take longer than starting a new supervisor. */
const mostLookedAt = 256

/** Kills what has left its session but still has the folder of a job in its environment: daemons, mostly. */
export function killStrays(folder: string): void {
  if (!linux) return
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid || !mentions(pid, folder)) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended while we looked.
    }
  }
}

/** Whether the environment with which a process was started names a folder; false where we may not look. */
function mentions(pid: number, folder: string): boolean {
  try {
    return told(`${pid}/environ`).includes(`=${folder}/`)
  } catch {
    return false
  }
}

/**
 * Whether everything that the leader's session has made since `mark` (a `lastPid`) is gone: false also when that is not certain.
 * The processes of a job have numbers after the mark, so that one looks at a few and not at all of the machine.
 */
export function isDeserted(leader: Leader, mark: number | undefined, folder: string): boolean {
  const last = lastPid()
  if (mark === undefined || last === undefined || last < mark || last - mark > mostLookedAt) return false
  for (let pid = mark + 1; pid <= last; pid++) {
    if (!existsSync(`/proc/${pid}`)) continue
    try {
      const { state, group, session } = statOf(pid)
      if (isDead(state)) continue
      if (group === leader.pid || session === leader.pid || mentions(pid, folder)) return false
    } catch {
      // It ended while we looked.
    }
  }
  return true
}

function canSignal(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const isDead = (state: string | undefined) => state === 'Z' || state === 'X'

/**
 * What the machine tells of itself. As UTF-8, whatever it is: for any other way Node takes a buffer of 64 KiB to read a
 * file that does not say how large it is, and a job looks at some hundred of them where the machine is busy: 16 MB.
 */
const told = (file: string): string => readFileSync(`/proc/${file}`, 'utf8')

function statOf(pid: number) {
  const text = told(`${pid}/stat`)
  // The second field is the name in parentheses and may hold anything, spaces and parentheses included.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0], group: Number(fields[2]), session: Number(fields[3]), start: fields[19] }
}
