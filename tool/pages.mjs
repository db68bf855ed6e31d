import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { modules, root } from './install.mjs'
import { run } from './run.mjs'
import { unlessMade } from './stale.mjs'

const sources = ['package-lock.json', 'tsconfig.json', 'src/kit', 'src/contract', 'src/web']

/**
 * Builds the web pages with the Node at `node`, unless what they are made of is as it was the last time.
 * Where that fails the rest of the service is still worth running; the gate builds them for itself, and does not forgive.
 */
export async function buildPages(node) {
  const config = join(root, 'src', 'web', 'vite.config.ts')
  if (!existsSync(config)) return
  const made = await unlessMade('pages', sources, async () => {
    console.error('Building the pages.')
    const vite = join(modules, 'vite', 'bin', 'vite.js')
    const args = [vite, 'build', '--config', config, '--logLevel', 'warn']
    const { code } = await run(node, args, { cwd: root, stdio: ['ignore', 2, 2] })
    return code === 0
  })
  if (!made) console.error('Cannot build the pages: going on without them.')
}
