import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StepSpec } from '#contract/agent.ts'

const names = ['service', 'circleci', 'circleci-agent'] as const

const script = readFileSync(new URL('./service.sh', import.meta.url), 'utf8')

/** Makes the folder with the commands that steps find on their search path, one under each of its names, and gives its name. */
export function installStepTools(folder: string): string {
  const bin = join(folder, 'bin')
  // Made anew each time, so that another version of the agent does not leave its own behind.
  rmSync(bin, { recursive: true, force: true })
  mkdirSync(bin, { recursive: true, mode: 0o755 })
  writeFileSync(join(bin, names[0]), script, { mode: 0o755 })
  for (const name of names.slice(1)) symlinkSync(names[0], join(bin, name))
  return bin
}

/** Whether a step of this job has said that no more steps are wanted (B4). */
export const isHalted = (folder: string, step: StepSpec): boolean =>
  // Whoever wants to look into a job wants it also where it halts.
  step.type !== 'wait_for_ssh' && existsSync(join(folder, 'halt'))
