import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { tarParts } from '#agent/archive/tar-parts.ts'
import { findFiles } from '#agent/glob/find-files.ts'
import { openTurns, type Turns } from '#agent/turns.ts'
import { outside, ownFolders } from './cage.ts'
import type { HardLinks, PlaceFiles, Sink } from './place-files.ts'
import { failureOfTar, failureWithFiles } from './refused-by-files.ts'
import { readTree } from './tree-reader.ts'
import { treeWriter } from './tree-writer.ts'

/** What the words of a failing tar are cut to. */
const mostWords = 2000

/** The files of this machine, for places whose commands see what we see: no other program is needed, and none is quicker. */
export const shellFiles: PlaceFiles = {
  direct: true,
  find: (root, patterns) => findFiles(root, patterns),
  pack(root, paths, links) {
    const turns = openTurns()
    return Readable.from(inTurn(readTree(root, paths, links, turns), turns), { highWaterMark: 0 })
  },
  async unpack(root, archive) {
    const sink = sinkAt(root)
    const turns = openTurns()
    try {
      for await (const part of tarParts(archive)) {
        if (part.type === 'entry') sink.entry(part.entry, part.head)
        else if (part.type === 'content') sink.content(part.bytes)
        if (turns.due()) await turns.give()
      }
      await sink.end()
    } catch (error) {
      await sink.break(error as Error)
      throw failureWithFiles(error)
    }
  },
  sink: sinkAt,
}

function sinkAt(root: string): Sink {
  try {
    return treeWriter(root)
  } catch (error) {
    throw failureWithFiles(error)
  }
}

async function* inTurn(pieces: Iterable<Buffer>, turns: Turns): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (piece.length > 0) yield piece
    if (turns.due()) await turns.give()
  }
}

/**
 * The files of a job that is locked in: `tar` is locked in as its commands are, and sees what they see. Names are looked for in the folder of the job only.
 */
export function cagedFiles(cage: readonly string[], folder: string): PlaceFiles {
  const tar = (...args: readonly string[]) => {
    const [program = 'tar', ...rest] = [...cage, 'tar', ...args]
    return spawn(program, rest, quiet)
  }
  return {
    async find(root, patterns) {
      const own = await realpath(folder)
      const [there, rest] = apart(own, root, patterns)
      const inOwn: string[] = []
      for (const { before, at, pattern } of there)
        inOwn.push(...(await this.find(at, [pattern])).map((path) => before + path))
      if (rest.length === 0) return inOwn
      const at = outside(own, root)
      const known = new Map<string, boolean>()
      const isOwn = async (folder: string) => {
        const real = await realpath(folder).catch(() => '')
        return real === own || real.startsWith(own + sep)
      }
      const seen: string[] = []
      const turns = openTurns()
      for (const path of await findFiles(at, rest, turns)) {
        const parent = dirname(join(at, path))
        if (!known.has(parent)) known.set(parent, await isOwn(parent))
        if (known.get(parent)) seen.push(path)
        if (turns.due()) await turns.give()
      }
      return [...inOwn, ...seen].toSorted()
    },
    pack(root, paths, links) {
      const archive = new PassThrough()
      packInto(tar, root, paths, archive, links).catch((error: unknown) => archive.destroy(error as Error))
      return archive
    },
    unpack: (root, archive) => unpackFrom(tar, root, archive),
  }
}

/** Patterns that lead from a root into a folder that the job has of its own, each with the way there; and all others. */
function apart(own: string, root: string, patterns: readonly string[]) {
  const ways = ownFolders.flatMap((at) => {
    const way = relative(root, at)
    return way === '' || way.startsWith('..') ? [] : [{ at, before: `${way}/` }]
  })
  const there = patterns.flatMap((pattern) => {
    // The folder of the job is where it is, also where that is below one of these.
    const way = join(root, pattern).startsWith(own + sep)
      ? undefined
      : ways.find(({ before }) => pattern.startsWith(before))
    return way ? [{ ...way, pattern: pattern.slice(way.before.length), whole: pattern }] : []
  })
  const whole = new Set(there.map((one) => one.whole))
  return [there, patterns.filter((pattern) => !whole.has(pattern))] as const
}

type Tar = (...args: readonly string[]) => ChildProcessWithoutNullStreams

async function unpackFrom(tar: Tar, root: string, archive: Readable): Promise<void> {
  // A folder that is missing is made by the first entry that lies in it: from where the cage can see on.
  const child = tar('-x', '-p', '--no-same-owner', '--one-top-level=' + root, '-f', '-')
  const ended = endOf(child, `unpack into ${root}`, [0])
  // Whoever feeds it knows better why it failed: a tar that is cut off only says that its input ended.
  const [fed, done] = await Promise.allSettled([pipeline(archive, child.stdin), ended])
  if (fed.status === 'rejected' && !isClosedPipe(fed.reason)) throw fed.reason
  if (done.status === 'rejected') throw done.reason
}

const quiet = { env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } }

async function packInto(
  tar: Tar,
  root: string,
  paths: readonly string[],
  archive: PassThrough,
  links?: HardLinks,
): Promise<void> {
  const absolute = paths.some(isAbsolute) ? ['-P'] : []
  const apart = links === 'as-files' ? ['--hard-dereference'] : []
  const child = tar('-c', ...absolute, ...apart, '-C', root, '--null', '-T', '-', '-f', '-')
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
  // A cage that cannot be made ends with a code that tar has too.
  if (code !== null && good.includes(code) && !words.startsWith('bwrap:')) return
  throw failureOfTar(`Cannot ${what}: tar ended with ${code ?? signal}: ${words.slice(0, mostWords).trim()}`)
}

/** It stops to read where the archive ends, and leaves what only fills a block. */
const isClosedPipe = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
