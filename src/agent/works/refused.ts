import { failureWithFiles } from '#agent/executors/refused-by-files.ts'
import { Refused } from '#agent/wire.ts'
import { StepFailed } from '#agent/step-failed.ts'

/** Turns what the server refused because of what the job sent, and files that cannot be read, into a failure of the step; anything else stays what it is. */
export function refusedAsFailed(error: unknown): never {
  if (error instanceof Refused && [400, 403, 413].includes(error.status)) throw new StepFailed(error.message)
  throw failureWithFiles(error)
}
