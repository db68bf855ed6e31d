import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { modules, root } from './install.mjs'
import { withLock } from './lock.mjs'
import { run } from './run.mjs'

const stamp = join(root, 'dist', '.pages')
const sources = ['package-lock.json', 'tsconfig.json', 'vite.config.ts', 'src/kit', 'src/contract', 'src/web']

/**
 * Builds the web pages with the Node at `node`, unless what they are made of is as it was the last time.
 * Where that fails the rest of the service is still worth running; the gate builds them for itself, and does not forgive.
 */
export async function buildPages(node) {
  const config = ['vite.config.ts', 'src/web/vite.config.ts'].map((name) => join(root, name)).find(existsSync)
  if (config === undefined || built(fingerprint())) return
  await withLock(`pages ${root}`, async () => {
    const wanted = fingerprint()
    if (built(wanted)) return
    console.error('Building the pages.')
    const vite = join(modules, 'vite', 'bin', 'vite.js')
    const args = [vite, 'build', '--config', config, '--logLevel', 'warn']
    const { code } = await run(node, args, { cwd: root, stdio: ['ignore', 2, 2] })
    if (code !== 0) return console.error('Cannot build the pages: going on without them.')
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, wanted)
  })
}

function built(wanted) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesIn(source))) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

/** Tests are no part of a page. */
function filesIn(path) {
  const absolute = join(root, path)
  if (!existsSync(absolute)) return []
  if (statSync(absolute).isDirectory())
    return readdirSync(absolute)
      .sort()
      .flatMap((name) => filesIn(join(path, name)))
  return /\.test\.tsx?$/.test(path) ? [] : [path]
}
