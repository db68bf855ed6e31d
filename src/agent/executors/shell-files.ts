import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, mkdir } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import type { PlaceFiles } from './place-files.ts'

/** What the words of a failing tar are cut to. */
const mostWords = 2000

let known: Promise<boolean> | undefined

/** Whether this machine has a `tar` that reads names from its input; any other would be more trouble than our own. */
const hasTar = () =>
  (known ??= promisify(execFile)('tar', ['--version']).then(
    ({ stdout }) => stdout.includes('GNU tar'),
    () => false,
  ))

/** The files of this machine, for places whose commands see what we see. `tar` does the work where there is one. */
export const shellFiles: PlaceFiles = {
  async find(root, patterns) {
    const found = new Set<string>()
    for await (const path of glob([...patterns], { cwd: root })) found.add(path)
    return [...found].toSorted()
  },

  pack(root, paths) {
    const archive = new PassThrough()
    packInto(root, paths, archive).catch((error: unknown) => archive.destroy(error as Error))
    return archive
  },

  async unpack(root, archive) {
    await mkdir(root, { recursive: true })
    if (!(await hasTar())) return (await import('./plain-tar.ts')).unpackPlainly(root, archive)
    const child = spawn('tar', ['-x', '-p', '--no-same-owner', '-C', root, '-f', '-'], quiet)
    const ended = endOf(child, `unpack into ${root}`, [0])
    // Whoever feeds it knows better why it failed: a tar that is cut off only says that its input ended.
    const [fed, done] = await Promise.allSettled([pipeline(archive, child.stdin), ended])
    if (fed.status === 'rejected' && !isClosedPipe(fed.reason)) throw fed.reason
    if (done.status === 'rejected') throw done.reason
  },
}

const quiet = { env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } }

async function packInto(root: string, paths: readonly string[], archive: PassThrough): Promise<void> {
  if (!(await hasTar())) return (await import('./plain-tar.ts')).packPlainly(root, paths, archive)
  const absolute = paths.some(isAbsolute) ? ['-P'] : []
  const child = spawn('tar', ['-c', ...absolute, '-C', root, '--null', '-T', '-', '-f', '-'], quiet)
  archive.once('close', () => child.kill())
  child.stdin.on('error', () => {})
  child.stdin.end(paths.map((path) => `${path}\0`).join(''))
  // Its code 1 says that a file changed while it was read: what was read counts.
  const ended = endOf(child, `pack files below ${root}`, [0, 1])
  const [fed, done] = await Promise.allSettled([pipeline(child.stdout, archive, { end: false }), ended])
  if (done.status === 'rejected') throw done.reason
  if (fed.status === 'rejected') throw fed.reason
  archive.end()
}

async function endOf(child: ReturnType<typeof spawn>, what: string, good: readonly number[]): Promise<void> {
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (words.length < mostWords) words += text
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (code !== null && good.includes(code)) return
  throw new Error(`Cannot ${what}: tar ended with ${code ?? signal}: ${words.slice(0, mostWords).trim()}`)
}

/** It stops to read where the archive ends, and leaves what only fills a block. */
const isClosedPipe = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
