import { remember } from '#server/app/remember.ts'

/** A larger page is put together each time. */
const mostBytes = 256 * 1024

/**
 * Pages of builds that are asked for again and again, in memory as they are sent: nothing is read, joined or encoded for them,
 * and nothing is left to clean up after. 16 MiB at most.
 */
export function pageTexts() {
  const kept = remember<string, Buffer>(64)
  return {
    get: (key: string): Buffer | undefined => kept.get(key),
    /** Keeps a page, unless it is too large, and gives it back. */
    keep: (key: string, page: Buffer): Buffer => (page.length > mostBytes ? page : kept.set(key, page)),
  }
}
