import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, type Leader, startOf } from './executors/processes.ts'
import { readJson, writeWhole } from './whole-file.ts'

/** Makes this process the one that works in a folder, or says which one does. The claim ends with the process. */
export function lockFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
  const file = join(folder, 'agent.json')
  const owner = readJson<Leader>(file)
  if (owner && owner.pid !== process.pid && isAlive(owner)) {
    throw new Error(`Cannot use the folder ${folder}: the agent with process id ${owner.pid} works in it`)
  }
  const self: Leader = { pid: process.pid, started: startOf(process.pid) ?? '' }
  writeWhole(file, JSON.stringify(self))
}
