import { join } from 'node:path'
import { root } from './install.mjs'
import { run } from './run.mjs'
import { unlessMade } from './stale.mjs'

const sources = [
  'package-lock.json',
  'tool/bundle.ts',
  'bin',
  'src/kit',
  'src/contract',
  'src/core',
  'src/config',
  'src/server',
  'src/agent',
  'src/cli',
  'src/local',
]

/**
 * Puts the program together into few files, which start in a fifth of the time and a third less memory than its sources do.
 * Answers what to run: where it could not be put together, its sources.
 */
export async function buildProgram(node) {
  const made = await unlessMade('program', sources, async () => {
    console.error('Putting the program together.')
    const { code } = await run(node, [join(root, 'tool', 'bundle.ts')], { cwd: root, stdio: ['ignore', 2, 2] })
    return code === 0
  })
  if (made) return 'dist/program/roundhouse.js'
  console.error('Cannot put the program together: running its sources.')
  return 'bin/roundhouse.ts'
}
