import { failureWithFiles } from '#agent/executors/refused-by-files.ts'
import { Refused } from '#agent/wire.ts'
import { StepFailed } from '#agent/step-failed.ts'

/** Turns what the server refused because of what the job asked for, and files that cannot be read, into a failure of the step; anything else stays what it is. */
export function refusedAsFailed(error: unknown): never {
  if (error instanceof Refused && [400, 403, 413].includes(error.status)) throw new StepFailed(saidIn(error))
  throw failureWithFiles(error)
}

/** The server's own words: of the request, whoever reads the log of a job knows nothing. */
const saidIn = ({ message, body }: Refused): string =>
  typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : message
