import { userInfo } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { JobSpec, StepSpec } from '#contract/agent.ts'
import type { Place } from './executors/executor.ts'
import { wordsOf } from './executors/words.ts'
import { shellEnvFile } from './job-folder.ts'

type Words = Readonly<Record<string, string>>
type RunStep = Extract<StepSpec, { type: 'run' | 'deploy' }>

const usual = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

/** Where programs are looked for: the agent's own search path first, then the usual folders. */
export function searchPath(own: string): string {
  return [...new Set([...own.split(':').filter(isAbsolute), ...usual])].join(':')
}

let user: string | undefined

function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    // In a container the user may be a number without a name.
    return 'agent'
  }
}

/** What a process needs to know of where it is, and nothing of the agent's own environment. */
export function plainEnvironment(home: string, path: string): Words {
  user ??= nameOfUser()
  return { HOME: home, PATH: path, USER: user, LOGNAME: user, LANG: 'C.UTF-8', TERM: 'dumb' }
}

/** The variables of one run step: the job's, over what only the agent knows; the step's own over both (B1). */
export function stepEnvironment(spec: JobSpec, place: Pick<Place, 'inside' | 'environment'>, step: Words = {}): Words {
  const shellEnv = shellEnvFile(place.inside)
  return {
    ...place.environment,
    BASH_ENV: shellEnv,
    CIRCLE_SHELL_ENV: shellEnv,
    SERVICE_SHELL_ENV: shellEnv,
    CIRCLE_INTERNAL_TASK_DATA: place.inside,
    SERVICE_INTERNAL_TASK_DATA: place.inside,
    CIRCLE_WORKING_DIRECTORY: spec.working_directory,
    SERVICE_WORKING_DIRECTORY: spec.working_directory,
    ...(spec.executor.type === 'docker' && spec.executor.images[0]?.environment),
    ...spec.environment,
    ...step,
  }
}

/**
 * Resolves a directory as configured: `~` is the job's home, a relative one lies below `from`, an absolute one is itself
 * (on this machine it is made if the agent's user may, shared with whoever names it too).
 */
export function directoryOf(configured: string, from: string, home: string): string {
  if (configured === '~') return home
  if (configured.startsWith('~/')) return join(home, configured.slice(2))
  return resolve(from, configured)
}

/** The words of the shell that reads a step's command (B2). */
export function shellOf(spec: JobSpec, step: RunStep, bash: boolean): readonly string[] {
  const configured = wordsOf(step.shell ?? spec.shell ?? '')
  if (configured.length > 0) return configured
  return [bash ? '/bin/bash' : '/bin/sh', '-eo', 'pipefail']
}
