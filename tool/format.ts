/* Writes every file, or those given, in the one form that the gate accepts. */
import { join } from 'node:path'
import { run } from './run.mjs'

const root = join(import.meta.dirname, '..')
const oxfmt = join(root, 'node_modules/oxfmt/bin/oxfmt')
const { code } = await run(process.execPath, [oxfmt, ...process.argv.slice(2)], { cwd: root })
process.exitCode = code ?? 1
