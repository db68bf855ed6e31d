import type { StepSpec } from '#contract/agent.ts'
import { nameOf } from '#agent/ssh/visit-of.ts'
import { StepFailed } from '#agent/step-failed.ts'
import type { Work } from './work.ts'

/** Tells how to come into the job. */
export const enableSsh: Work<Extract<StepSpec, { type: 'enable_ssh' }>> = async ({
  job,
  say,
  server,
  signal,
  door,
}) => {
  if (!door) throw new StepFailed('Cannot enable SSH: this agent takes no SSH connections')
  let opened
  try {
    opened = await door
  } catch (error) {
    throw new StepFailed(`Cannot enable SSH: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  const { users, keys } = await server.visitors(signal)
  say(`You can now SSH into this box if your SSH public key is added:\n`)
  say(`    $ ssh -p ${opened.port} ${nameOf(job)}@${opened.host}\n\n`)
  for (const login of users) {
    const count = keys.filter((key) => key.login === login).length
    say(
      count > 0
        ? `Let in: ${login}, by ${count} key${count === 1 ? '' : 's'}\n`
        : `${login} has no SSH key yet: add one with "roundhouse ssh-key add <file>"\n`,
    )
  }
  if (users.length === 0) say('Nobody is let in yet: whoever may build the project can add themselves (ssh-users)\n')
  return 'success'
}
