import { accessSync, appendFileSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A part that some tests need and a bare machine may lack. */
export type LaneName = 'browser' | 'bubblewrap' | 'docker' | 'privileged' | 'ssh'

/** `reason` is made for node:test: `{ skip: lane('browser').reason }`. */
export type Lane =
  | { readonly on: true; readonly reason: false; readonly path: string }
  | {
      readonly on: false
      readonly reason: string
      /** Nothing can be installed against it: the machine itself says no. Told, and no failure in CI. */
      readonly withheld?: true
    }

/** The names of all lanes. */
export const laneNames: readonly LaneName[] = ['browser', 'bubblewrap', 'docker', 'privileged', 'ssh']

const probes: Record<LaneName, () => Lane> = {
  browser: () => program('chromium', 'chromium-browser', 'google-chrome'),
  bubblewrap: () => program('bwrap'),
  docker() {
    // Tests start an engine of their own on a bridge of its own, which takes root, and fill it with busybox.
    if (process.getuid?.() !== 0) return { on: false, reason: 'A docker engine needs root' }
    const needed = [program('dockerd'), program('docker'), program('busybox'), program('ip')]
    return needed.find(({ on }) => !on) ?? needed[0]!
  },
  privileged() {
    const docker = probes.docker()
    if (!docker.on) return docker
    const missing = missingCapabilities()
    if (missing.length === 0) return docker
    const names = `capability ${missing.join(', ')}`
    return {
      on: false,
      withheld: true,
      reason: `Privileged containers need all capabilities: this machine has no ${names}`,
    }
  },
  ssh: () => program('ssh'),
}

/** The numbers of the capabilities that nothing on this machine can have, as whoever started it keeps them back. */
function missingCapabilities(): readonly number[] {
  const bounds = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`)
  const last = Number(readFileSync('/proc/sys/kernel/cap_last_cap', 'utf8'))
  return Array.from({ length: last + 1 }, (_, number) => number).filter(
    (number) => ((bounds >> BigInt(number)) & 1n) === 0n,
  )
}

/** Whether tests that need this part can run here. Asking is remembered: the end of the run names what was left out. */
export function lane(name: LaneName): Lane {
  const found = probes[name]()
  const record = process.env['ROUNDHOUSE_TEST_LANES']
  if (record !== undefined && !found.on)
    appendFileSync(record, `${found.withheld === true ? 'withheld ' : ''}${name}: ${found.reason}\n`)
  return found
}

function program(...names: readonly string[]): Lane {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const path = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
  return path === undefined ? { on: false, reason: `No ${names[0]} on the path` } : { on: true, reason: false, path }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
