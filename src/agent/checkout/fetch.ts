import { StepFailed } from '#agent/step-failed.ts'
import { pause } from '#kit/backoff.ts'
import { type GitCall, GitFailed, runGit } from './git.ts'
import { isRedirected } from './redirect.ts'

/** How git says that the other side could not be reached, or went away: worth another try, as nothing else is. */
const passing = [
  'onnection refused',
  'ailed to connect',
  "ouldn't connect",
  'onnection reset',
  'onnection timed out',
  'onnection closed',
  'mpty reply',
  'early EOF',
  'RPC failed',
  'returned error: 5',
  'hung up unexpectedly',
  'emporary failure in name resolution',
]

/** The server may be starting again just now: for about a minute. */
const mostTries = 10

/** Whether a failure says nothing of the repository, only that it was out of reach. */
export const isPassing = (error: unknown): boolean =>
  error instanceof GitFailed && passing.some((words) => error.words.includes(words))

/** Runs git against another machine, again while that is out of reach. */
export async function reachOut(
  words: readonly string[],
  call: GitCall,
  say: (text: string) => void,
  tries = mostTries,
): Promise<string> {
  let moved: GitCall['settings']
  for (let tried = 1; ; tried++) {
    try {
      return await runGit(words, moved ? { ...call, settings: { ...call.settings, ...moved } } : call)
    } catch (error) {
      if (error instanceof GitFailed && !moved && call.moved && isRedirected(error.words)) {
        moved = await call.moved()
        continue
      }
      if (!(error instanceof GitFailed) || !isPassing(error) || tried > tries) throw error
      say(`${error.words}\nTrying again\n`)
      await pause(tried * 1000, call.signal)
      call.signal.throwIfAborted()
    }
  }
}

/** A failure of git as one of the step, in git's own words. */
export const asStepFailure = (error: unknown): unknown =>
  error instanceof GitFailed ? new StepFailed(error.words === '' ? error.message : error.words) : error
