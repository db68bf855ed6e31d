import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StepSpec } from '#contract/agent.ts'

const names = ['service', 'circleci', 'circleci-agent'] as const

const script = `#!/bin/sh
# What a step can say to the agent that runs it.
case "\${1-} \${2-}" in
  'step halt' | 'task halt')
    : >"\${SERVICE_SHELL_ENV%/*}/halt"
    ;;
  *)
    printf 'Cannot do "%s" here: only "step halt" is known\\n' "$*" >&2
    exit 2
    ;;
esac
`

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
