import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'

/** Where runs of a checkout are kept: below the cache folder of the user, by the place of the checkout. */
export function dataFolder(root: string, environment: Readonly<Record<string, string | undefined>>): string {
  const { XDG_CACHE_HOME: cache = '' } = environment
  const base = isAbsolute(cache) ? cache : join(homedir(), '.cache')
  const key = createHash('sha256').update(root).digest('hex').slice(0, 12)
  const name = basename(root)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 40)
  return join(base, 'roundhouse', 'run', `${name}-${key}`)
}
