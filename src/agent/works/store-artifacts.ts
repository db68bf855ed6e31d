import { basename, dirname, posix, relative } from 'node:path'
import type { Readable } from 'node:stream'
import { textOf } from '#agent/archive/file-name.ts'
import { shown } from '#agent/archive/guard.ts'
import { type Part, tarParts } from '#agent/archive/tar-parts.ts'
import { directoryOf } from '#agent/environment.ts'
import { literal } from '#agent/glob/pattern.ts'
import { repeat, type SmallFile } from '#agent/storage.ts'
import type { StepSpec } from '#contract/agent.ts'
import { refusedAsFailed } from './refused.ts'
import { bytesText } from './words.ts'
import { StepFailed } from '#agent/step-failed.ts'
import type { Work, WorkTools } from './work.ts'

type Step = Extract<StepSpec, { type: 'store_artifacts' }>

/** Uploads a file, or all the files of a folder, each as an artifact of its own. Links are not followed. */
export const storeArtifacts: Work<Step> = async (tools) => {
  const { place, job, step, say, signal } = tools
  const base = directoryOf(job.working_directory, place.home, place.home)
  const path = directoryOf(step.path, base, place.home)
  const name = step.destination === undefined ? nameOf(path, base, place.home) : plain(step.destination)
  say(`Uploading ${path}${name === '' ? '' : ` to ${name}`}\n`)
  const [parent, own] = path === '/' ? ['/', '.'] : [dirname(path), basename(path)]
  if (own !== '.' && !(await place.files.find(parent, [literal(own)])).includes(own)) {
    say(`No artifact files found at ${path}\n`)
    return 'success'
  }
  const done = new Set<string>()
  const upload = (root: string, what: string) =>
    repeat(() => uploadTree(tools, place.files.pack(root, [what], 'as-files'), what, name, done), signal, say)
  const found = await upload(parent, own).catch(refusedAsFailed)
  // A link to a folder: what it leads to is meant.
  if (found === 'link') await upload(path, '.').catch(refusedAsFailed)
  if (done.size === 0) say(`No artifact files found at ${path}\n`)
  return 'success'
}

/** Without a destination an artifact is named by its place in the working directory, else in the home, else on the machine. */
function nameOf(path: string, base: string, home: string): string {
  for (const folder of [base, home, '/']) {
    if (path === folder) return ''
    const inside = relative(folder, path)
    if (!inside.startsWith('..')) return inside
  }
  return ''
}

/** A destination as a name: no slashes around it, no way out of it. */
function plain(destination: string): string {
  const path = posix.normalize(`/${destination}`).replace(/^\/+|\/+$/g, '')
  return path
}

/** Files up to this size are gathered and sent together. */
const smallBytes = 64 * 1024
/** As many of them at a time. */
const mostGathered = { files: 1000, bytes: 4 * 1024 * 1024 }

/** Uploads the files of an archive that were not uploaded yet. */
async function uploadTree(
  { job, say, mask, signal, server }: WorkTools<Step>,
  archive: Readable,
  top: string,
  name: string,
  done: Set<string>,
): Promise<'files' | 'link'> {
  const parts = tarParts(archive)
  // Names are shown to whoever may see the job, as logs are: two of them may be the same when they are masked, and the last counts.
  const small = new Map<string, SmallFile>()
  let gathered = 0

  async function flush(): Promise<void> {
    if (small.size === 0) return
    await server.storage.saveArtifacts([...small.values()], signal)
    for (const [path, { bytes }] of small) noteDone(path, bytes.length)
    small.clear()
    gathered = 0
  }

  function noteDone(path: string, size: number): void {
    done.add(path)
    say(`  Uploaded ${path} (${bytesText(size)})\n`)
  }

  async function upload(path: string, size: number): Promise<void> {
    const bytes = contentOf(parts, size)
    if (size > smallBytes) {
      await server.storage.saveArtifact(mask(path), bytes, signal)
      return noteDone(path, size)
    }
    const masked = mask(path)
    if ([...small.values()].some((other) => other.path === masked)) await flush()
    const content = Buffer.alloc(size)
    let at = 0
    for await (const piece of bytes) at += piece.copy(content, at)
    small.set(path, { path: masked, bytes: content })
    gathered += size
    if (small.size >= mostGathered.files || gathered >= mostGathered.bytes) await flush()
  }

  try {
    for (;;) {
      const { value: part, done: over } = await parts.next()
      if (over) {
        await flush()
        return 'files'
      }
      if (part.type !== 'entry' || part.entry.type === 'folder') continue
      const { entry } = part
      const inside = textOf(entry.name).replace(/^(\.\/+)+/, '')
      // The top of the tree has the name that was chosen for it.
      const rest = top === '.' ? inside : inside.slice(top.length).replace(/^\/+/, '')
      const path = [name, rest].filter((piece) => piece !== '').join('/') || inside
      if (entry.type === 'symlink' && rest === '') return 'link'
      if (done.has(path)) continue
      if (entry.type === 'file' && !isOdd(path) && entry.size <= job.storage.most_artifact_bytes) {
        await upload(path, entry.size)
        continue
      }
      done.add(path)
      if (entry.type !== 'file') say(`  Skipping ${shown(path)}: it is no file\n`)
      else if (isOdd(path)) say(`  Skipping ${shown(path)}: its name has characters that a download could not have\n`)
      else {
        await flush()
        throw new StepFailed(
          `Cannot upload ${shown(path)}: it has ${entry.size} bytes, more than ${job.storage.most_artifact_bytes}`,
        )
      }
    }
  } finally {
    archive.destroy()
  }
}

async function* contentOf(parts: AsyncGenerator<Part>, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0;) {
    const { value: part, done } = await parts.next()
    if (done || part.type !== 'content') throw new Error('Cannot read a file of the archive: it ends too early')
    left -= part.bytes.length
    yield part.bytes
  }
}

const isOdd = (path: string): boolean => /[\p{Cc}\\]/u.test(path) || path.length > 1024
