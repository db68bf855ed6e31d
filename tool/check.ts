/*
 * The gate: types, lint, format, pages and tests, among which is the architecture.
 * Each part runs whatever became of the others, so that one look shows everything there is to mend.
 */
import { join } from 'node:path'
import { run } from './run.mjs'

const root = join(import.meta.dirname, '..')
const modules = join(root, 'node_modules')

const parts: readonly (readonly [name: string, ...command: readonly string[]])[] = [
  ['types', join(modules, 'typescript/bin/tsc'), '-p', '.'],
  ['lint', join(modules, 'oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'],
  ['format', join(modules, 'oxfmt/bin/oxfmt'), '--check'],
  ['pages', join(modules, 'vite/bin/vite.js'), 'build', '--config', 'src/web/vite.config.ts', '--logLevel', 'warn'],
  ['tests', join(root, 'tool/test.ts')],
]

const failed: string[] = []
for (const [name, ...command] of parts) {
  console.log(`── ${name}`)
  const { code, signal } = await run(process.execPath, command, { cwd: root })
  if (code !== 0) failed.push(name)
  if (signal !== null) break
}

if (failed.length > 0) {
  console.error(`Check failed: ${failed.join(', ')}`)
  process.exitCode = 1
}
