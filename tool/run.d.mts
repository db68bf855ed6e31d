import type { SpawnOptions } from 'node:child_process'

/** How a process ended: by itself with a code, or by a signal. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Runs a command with our terminal and passes signals on. */
export function run(command: string, args: readonly string[], options?: SpawnOptions): Promise<Ended>
