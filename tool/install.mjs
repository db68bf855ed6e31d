import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'
import { run } from './run.mjs'

/** The folder of the checkout. */
export const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)))

/** Where npm puts packages. */
export const modules = join(root, 'node_modules')

const stamp = join(modules, '.installed')
const record = join(modules, '.package-lock.json')

/** Makes node_modules what package-lock.json says; takes no time when it is so already. Safe to run several times at once. */
export async function install() {
  const wanted = fingerprint()
  if (stamped(wanted)) return
  await withLock(`install ${root}`, async () => {
    // Somebody else may have installed while we waited.
    if (stamped(wanted)) return
    if (!installed()) await download()
    writeFileSync(stamp, wanted)
  })
}

/** A checkout may be shared by machines of two kinds, so their name is part of it. */
function fingerprint() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`
}

function stamped(wanted) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
}

/** Whether npm itself has already brought everything in the lock file: after `npm install` there is nothing left to do. */
function installed() {
  if (!existsSync(record) || !existsSync(join(modules, 'node', 'bin', 'node'))) return false
  const wanted = packages(join(root, 'package-lock.json'))
  const present = packages(record)
  const missing = Object.entries(wanted).some(([path, { version, optional, ...entry }]) => {
    if (path === '' || (optional && !present[path] && !forThisMachine(entry))) return false
    return present[path]?.version !== version
  })
  return !missing && Object.keys(present).every((path) => wanted[path])
}

/** Whether an optional package is meant for this machine; where that depends on the C library too, npm knows better. */
function forThisMachine({ os, cpu, libc }) {
  return !libc && Boolean(os?.includes(process.platform) && cpu?.includes(process.arch))
}

function packages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
}

/**
 * `npm install` and not `npm ci`, which refuses a lock file that does not name every package for every platform;
 * what the lock file does name is brought exactly so by both, and `--no-save` leaves the file alone.
 */
async function download() {
  console.error('Installing packages. This happens once, and again when package-lock.json changes.')
  // npm writes its record last: without one, what is there is the rest of an installation that was stopped.
  if (!existsSync(record)) rmSync(modules, { recursive: true, force: true })
  const { command, args, env } = npm()
  // Warnings are about the Node that installs, which is not the one that runs.
  const install = [...args, 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const { code } = await run(command, install, { cwd: root, env, stdio: ['ignore', 2, 2] })
  if (code !== 0) throw new Error(`npm install ended with ${code ?? 'a signal'}`)
}

/**
 * The npm to install with, and the Node to run it: never the one in node_modules, which npm is about to remove,
 * and which npm puts first on the path of whatever it starts.
 */
function npm() {
  const outside = (path) => !path.startsWith(modules)
  const path = (process.env.PATH ?? '').split(delimiter).filter(outside).join(delimiter)
  const env = { ...process.env, PATH: path }
  // Where npm started us it says which file it is and who runs it.
  const { npm_execpath: script, npm_node_execpath: runner } = process.env
  const known = script?.endsWith('.js') && runner && outside(script) && outside(runner) && existsSync(runner)
  return known ? { command: runner, args: [script], env } : { command: 'npm', args: [], env }
}
