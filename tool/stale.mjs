import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './install.mjs'
import { withLock } from './lock.mjs'

/**
 * Calls `make` unless what a thing is made of is as it was when it was last made. `make` answers whether it was; the stamp says of what.
 * Safe to run several times at once.
 */
export async function unlessMade(name, sources, make) {
  const stamp = join(root, 'dist', `.${name}`)
  const made = (wanted) => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  if (made(fingerprint(sources))) return true
  return withLock(`${name} ${root}`, async () => {
    const wanted = fingerprint(sources)
    if (made(wanted)) return true
    if (!(await make())) return false
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, wanted)
    return true
  })
}

function fingerprint(sources) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesIn(source))) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

/** Tests are no part of what is made. */
function filesIn(path) {
  const absolute = join(root, path)
  if (!existsSync(absolute)) return []
  if (statSync(absolute).isDirectory())
    return readdirSync(absolute)
      .sort()
      .flatMap((name) => filesIn(join(path, name)))
  return /\.test\.tsx?$/.test(path) ? [] : [path]
}
