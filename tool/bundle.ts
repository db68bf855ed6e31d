import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')
// Below the checkout in any case, where packages that are not put in can be found.
const output = join(root, 'dist', process.argv[2] ?? 'program')

/** Puts bin/roundhouse.ts and everything it imports into dist/program: one file for what always runs, others for what is loaded when it is needed. */
rmSync(output, { recursive: true, force: true })
await bundle({ roundhouse: 'bin/roundhouse.ts' })
// Programs of threads, apart: what they share with the program would be torn out of its one file.
await bundle({ 'checkpoint-thread': 'src/server/store/checkpoint-thread.ts' })
await bundle({ 'post-thread': 'src/server/work/post-thread.ts' })
await bundle({ 'insights-thread': 'src/server/app/insights/thread.ts' })
for (const file of globSync('*.js', { cwd: output })) writeAscii(join(output, file))

async function bundle(programs: Readonly<Record<string, string>>): Promise<void> {
  const made = await rolldown({
    input: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, join(root, file)])),
    platform: 'node',
    // Optional parts of the PostgreSQL driver that nobody here installs; and ssh2, part of which asks where its own file lies.
    external: ['pg-native', 'pg-cloudflare', 'ssh2'],
    logLevel: 'warn',
  })
  await made.write({ dir: output, format: 'esm', minify: true, chunkFileNames: '[name]-[hash].js' })
  await made.close()
}

/** A single character beyond Latin-1 makes Node keep the text of the whole file in two bytes a character. */
function writeAscii(file: string): void {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  writeFileSync(file, readFileSync(file, 'utf8').replace(/[^\0-\x7f]/g, escaped))
}

// Scripts that the program reads beside itself.
for (const script of globSync('src/**/*.sh', { cwd: root }))
  copyFileSync(join(root, script), join(output, basename(script)))
