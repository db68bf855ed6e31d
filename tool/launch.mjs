/*
 * Runs a program of this repository under the Node that its lock file names, installing first where that is needed.
 * This file and what it imports must run on whatever Node a machine happens to have (18 or later): plain JavaScript.
 *
 *   node tool/launch.mjs <file.ts> [arguments]
 */
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { install, modules, root } from './install.mjs'
import { buildPages } from './pages.mjs'
import { mannerOf } from '../bin/manner.mjs'
import { buildProgram } from './program.mjs'
import { run } from './run.mjs'

const node = join(modules, 'node', 'bin', 'node')

/** The programs that show the web pages, or test them. */
const withPages = ['bin/roundhouse.ts', 'tool/test.ts', 'tool/screenshots.ts', 'bench/bench.ts']

/** Ends this process as the other one ended. */
function endAs({ code, signal }) {
  if (signal === null) process.exit(code)
  process.exitCode = 128 + constants.signals[signal]
  process.kill(process.pid, signal)
}

const [entry, ...args] = process.argv.slice(2)
if (entry === undefined) {
  console.error('Usage: node tool/launch.mjs <file.ts> [arguments]')
  process.exit(2)
}

try {
  await install()
  if (withPages.includes(entry)) await buildPages(node)
  const env = {
    ...process.env,
    PATH: [join(modules, '.bin'), process.env.PATH].join(delimiter),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(modules, '.cache', 'compiled'),
  }
  const program = withPages.includes(entry) ? await buildProgram(node) : entry
  const { flags, environment } = mannerOf(args[0])
  // Behind `--`, or Node takes our `--env-file` for its own: NODE_OPTIONS in that file would change the program, not its jobs.
  if (entry === 'bin/roundhouse.ts')
    endAs(await run(node, [...flags, '--', join(root, program), ...args], { env: { ...env, ...environment } }))
  else endAs(await run(node, ['--', join(root, entry), ...args], { env }))
} catch (error) {
  console.error(`Cannot run ${entry}: ${error.message}`)
  process.exit(1)
}
