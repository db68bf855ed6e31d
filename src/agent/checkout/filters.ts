import { isPassing } from './fetch.ts'
import { GitFailed } from './git.ts'
import { ask, movedTo } from './redirect.ts'
import type { Reach, Source } from './source.ts'

/** A host that gives a repository whole or not at all. */
export class Unfiltered extends Error {
  override readonly name = 'Unfiltered'
}

/** Refuses to ask a host for parts of a repository that cannot give any. */
export async function checkParts(source: Source, reach: Reach, signal: AbortSignal): Promise<void> {
  if (!(await servesParts(source, reach, signal))) throw new Unfiltered('The host of the repository serves only files')
}

/** What git says of a host that advertises filters and then does not take ours. */
const refusal = /filter '[^']*' not supported/

/** A failure of git as one of the host, where the host does not leave files out. */
export const asUnfiltered = (error: unknown): unknown =>
  error instanceof GitFailed && refusal.test(error.words) ? new Unfiltered(error.words) : error

/** The same where it left files out, and was then asked for some of them by their names. */
export const asUngiven = (error: unknown): unknown =>
  error instanceof GitFailed && !isPassing(error) ? new Unfiltered(error.words) : error

/**
 * Whether a host can be asked for parts of a repository. One that serves nothing but files cannot, and git must not try: to find what it was
 * not given it asks again and again, each time by another process inside the one before.
 */
async function servesParts(source: Source, reach: Reach, signal: AbortSignal): Promise<boolean> {
  // The built-in git host can.
  if (source.with_job_token || !/^https?:/.test(source.url)) return true
  try {
    const at = new URL(await movedTo(source.url, reach.hosts, signal))
    const { statusCode, headers } = await ask(at, signal)
    return statusCode !== 200 || headers['content-type'] === 'application/x-git-upload-pack-advertisement'
  } catch {
    signal.throwIfAborted()
    // git says better why it cannot be asked.
    return true
  }
}
