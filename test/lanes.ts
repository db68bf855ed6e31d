import { accessSync, appendFileSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A part that some tests need and a bare machine may lack. */
export type LaneName = 'browser' | 'bubblewrap' | 'docker' | 'ssh'

/** `reason` is made for node:test: `{ skip: lane('browser').reason }`. */
export type Lane =
  | { readonly on: true; readonly reason: false; readonly path: string }
  | { readonly on: false; readonly reason: string }

/** The names of all lanes. */
export const laneNames: readonly LaneName[] = ['browser', 'bubblewrap', 'docker', 'ssh']

const probes: Record<LaneName, () => Lane> = {
  browser: () => program('chromium', 'chromium-browser', 'google-chrome'),
  bubblewrap: () => program('bwrap'),
  docker() {
    // Tests start an engine of their own, which takes root, and fill it with busybox.
    if (process.getuid?.() !== 0) return { on: false, reason: 'A docker engine needs root' }
    const needed = [program('dockerd'), program('docker'), program('busybox')]
    return needed.find(({ on }) => !on) ?? needed[0]!
  },
  ssh: () => program('ssh'),
}

/** Whether tests that need this part can run here. Asking is remembered: the end of the run names what was left out. */
export function lane(name: LaneName): Lane {
  const found = probes[name]()
  const record = process.env['ROUNDHOUSE_TEST_LANES']
  if (record !== undefined && !found.on) appendFileSync(record, `${name}: ${found.reason}\n`)
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
