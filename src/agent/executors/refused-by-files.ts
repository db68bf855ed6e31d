import { StepFailed } from '#agent/step-failed.ts'

/** What the machine says, as a code or as tar repeats it, when a file may not be read or written, or is not what it is taken for. */
const codes = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENAMETOOLONG', 'ELOOP'])
const words =
  /permission denied|operation not permitted|read-only file system|not a directory|is a directory|file exists|file name too long|too many (levels of )?symbolic links/i

/** Whether files of a job refused: its own affair, as no other agent would fare better. */
const isRefusal = (error: Error): boolean =>
  'code' in error ? codes.has(String(error.code)) : error.cause instanceof Error && isRefusal(error.cause)

/** A failure with files of a job as what it is: of the step where the files refused, of the agent otherwise. */
export const failureWithFiles = (error: unknown): unknown =>
  error instanceof Error && !(error instanceof StepFailed) && isRefusal(error)
    ? new StepFailed(error.message, { cause: error })
    : error

/** The same for a program that told by words: tar. */
export const failureOfTar = (message: string): Error =>
  words.test(message) ? new StepFailed(message) : new Error(message)
