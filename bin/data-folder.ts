import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UnusableSetting } from '#cli/settings.ts'

const whyNot: Readonly<Record<string, string>> = {
  EEXIST: 'it must be a folder, and is none',
  ENOTDIR: 'it must be a folder, and lies below something that is none',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'what lies there can only be read',
  ENOENT: 'no folder can be made there',
  ENOSPC: 'there is no space left',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
}

/** Makes the data folder where it is missing, and finds out that it can be written: later that would be told by whatever comes to write first. */
export function openFolder(folder: string): void {
  const probe = join(folder, `.probe-${process.pid}`)
  try {
    makeFolder(folder)
    closeSync(openSync(probe, 'w', 0o600))
    rmSync(probe)
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code)
    throw new UnusableSetting('data', whyNot[code] ?? `it cannot be written (${code})`)
  }
}

/** Step by step: Node's own way of making all of them at once never ends below /proc, and not even a signal gets through to it. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && dirname(folder) !== folder) {
      makeFolder(dirname(folder))
      mkdirSync(folder, { mode: 0o700 })
    } else if (code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error
  }
}
