import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'

/** A bare `bash -c true` from Node: milliseconds. */
export async function bareSpawn(): Promise<number> {
  const began = performance.now()
  await once(spawn('bash', ['-c', 'true'], { stdio: 'ignore' }), 'exit')
  return performance.now() - began
}

/** How many of them a second, two at a time. */
export async function bareSpawnRate(count: number): Promise<number> {
  const began = performance.now()
  let left = count
  const lane = async () => {
    while (left-- > 0) await once(spawn('bash', ['-c', 'true'], { stdio: 'ignore' }), 'exit')
  }
  await Promise.all([lane(), lane()])
  return (count / (performance.now() - began)) * 1000
}

/** A command with its output straight into a new file: milliseconds. */
export async function intoFile(command: string, file: string): Promise<number> {
  rmSync(file, { force: true })
  const began = performance.now()
  await once(spawn('bash', ['-c', `{ ${command}\n} > "${file}"`], { stdio: 'ignore' }), 'exit')
  return performance.now() - began
}
