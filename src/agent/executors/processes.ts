import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** A process that was started as the leader of its own session, told from a later one with the same number. */
export interface Leader {
  readonly pid: number
  /** When it was started, in the words of this machine; changes with a reboot. */
  readonly started: string
}

const linux = process.platform === 'linux'
let boot: string | undefined

/** When a process was started; undefined when there is none, or only what its parent has not collected yet. */
export function startOf(pid: number): string | undefined {
  try {
    if (!linux) return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
    const { state, start } = statOf(pid)
    boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
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

function canSignal(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const isDead = (state: string | undefined) => state === 'Z' || state === 'X'

function statOf(pid: number) {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The second field is the name in parentheses and may hold anything, spaces and parentheses included.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0], group: Number(fields[2]), start: fields[19] }
}
