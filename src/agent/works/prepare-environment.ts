import { stepEnvironment } from '#agent/environment.ts'
import type { StepSpec } from '#contract/agent.ts'
import type { Work } from './work.ts'

/** What stands for the value of a variable that is hidden. */
const hidden = '**REDACTED**'

/** Tells the variables that every step has: those of the service with their values, those that are secrets by their names (B3). */
export const prepareEnvironment: Work<Extract<StepSpec, { type: 'prepare_environment' }>> = async (tools) => {
  const { job, place, say } = tools
  const secrets = new Set(job.secrets)
  const all = Object.entries(stepEnvironment(job, place)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  // A short value is not masked in logs, as it would hide half of them; here it is known for what it is.
  const isSecret = ([, value]: readonly [string, string]) => value !== '' && secrets.has(value)
  const lines = all.filter((one) => !isSecret(one)).map(([name, value]) => `  ${name}=${oneLine(value)}\n`)
  say(`Using build environment variables:\n${lines.join('')}`)
  const names = all.filter(isSecret).map(([name]) => `  ${name}=${hidden}\n`)
  if (names.length > 0)
    say(
      `\nUsing environment variables from project settings and/or contexts:\n${names.join('')}\n` +
        'The redacted variables listed above will be masked in run step output.\n',
    )
  return 'success'
}

const oneLine = (value: string) => value.replaceAll('\n', '\\n')
