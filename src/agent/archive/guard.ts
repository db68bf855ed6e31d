import { StepFailed } from '#agent/step-failed.ts'
import type { Entry } from './tar-parts.ts'

/** How much an archive may hold. */
export interface Limits {
  /** Of all files together. */
  readonly mostUnpacked: number
  /** Of the archive as it is stored. */
  readonly mostStored: number
}

const mostEntries = 2_000_000
const mostName = 4096
/** No archive of real files is smaller than a thousandth of them; one that claims to be is meant to fill a disk. */
const mostRatio = 1000
/** Up to here nobody is hurt, whatever the ratio: a few files of zeros are no attack. */
const harmless = 1024 ** 3

/**
 * Watches one archive on its way in or out, entry by entry, and throws at the first that could reach outside of its
 * root, is no file, folder or link, or is too much. A symbolic link may point anywhere (those of a Python environment
 * do), but nothing may be written through one.
 */
export function openGuard(limits: Limits) {
  const links = new Set<string>()
  let entries = 0
  let bytes = 0

  function checkPath(name: string, what: string): string {
    if (name.length > mostName) throw refused(`${what} has a name of ${name.length} characters`)
    if (name === '' || name.includes('\0')) throw refused(`${what} has an impossible name`)
    if (name.startsWith('/')) throw refused(`${what} ${shown(name)} has an absolute name`)
    const path = isPlain(name) ? name : plain(name, what)
    for (let at = path.indexOf('/'); links.size > 0 && at > 0; at = path.indexOf('/', at + 1)) {
      if (links.has(path.slice(0, at))) throw refused(`${what} ${shown(name)} lies behind a link`)
    }
    return path
  }

  return {
    /** To be called with each entry before anything of it is written. */
    admit(entry: Entry): void {
      if (++entries > mostEntries) throw refused(`it holds more than ${mostEntries} files`)
      if (entry.type === 'other') throw refused(`${shown(entry.name)} is no file, folder or link`)
      const path = checkPath(entry.name, 'an entry')
      if (links.has(path)) throw refused(`${shown(entry.name)} stands where a link was`)
      if (entry.type === 'symlink') links.add(path)
      if (entry.type === 'link' && links.has(checkPath(entry.linkName, 'the target of a link')))
        throw refused(`${shown(entry.name)} is another name of a link`)
    },

    /** To be called with what was unpacked, and how many bytes of the stored archive it took so far. */
    count(unpacked: number, stored: number): void {
      bytes += unpacked
      if (bytes > limits.mostUnpacked) throw refused(`its files have more than ${limits.mostUnpacked} bytes`)
      if (stored > limits.mostStored) throw refused(`it has more than ${limits.mostStored} bytes`)
      // What is stored runs behind what is unpacked by what the packer still holds, a megabyte or so.
      if (bytes > harmless && bytes > (stored + 1024 * 1024) * mostRatio)
        throw refused(`its files are more than ${mostRatio} times as large as itself`)
    },

    bytes: () => bytes,
    entries: () => entries,
  }
}

/** Whether a name has no segment that is empty, `.` or `..`. Asked for each of very many files, few of which have one. */
export const isPlain = (name: string): boolean => !/(?:^|\/)\.{0,2}(?:\/|$)/.test(name)

/** A name without the segments that mean nothing. */
function plain(name: string, what: string): string {
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.includes('..')) throw refused(`${what} ${shown(name)} leads out of its folder`)
  return segments.join('/')
}

export type Guard = ReturnType<typeof openGuard>

const refused = (why: string) => new StepFailed(`Refused this archive: ${why}`)

/** A name as it may stand in a log: no line breaks, no escape sequences. */
export const shown = (name: string): string => JSON.stringify(name.length > 300 ? `${name.slice(0, 300)}...` : name)
