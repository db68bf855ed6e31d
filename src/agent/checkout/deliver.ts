import { constants, createReadStream } from 'node:fs'
import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Pack, pack } from 'tar-stream'
import type { PlaceFiles } from '#agent/executors/place-files.ts'
import { StepFailed } from '#agent/step-failed.ts'
import type { SeedFile } from './seed.ts'

/** Puts a repository into a folder of a place. Never a link to a file of ours: whoever owns the place may write to what it gets. */
export async function deliver(files: PlaceFiles, seed: readonly SeedFile[], to: string): Promise<void> {
  if (files.direct) return copied(seed, to)
  const archive = pack()
  const packing = packed(archive, seed).catch((error: unknown) => archive.destroy(error as Error))
  await files.unpack(to, Readable.from(archive as AsyncIterable<Uint8Array>, { objectMode: false }))
  await packing
}

/** On a file system that can, a copy shares its blocks with the original until somebody writes to it. */
async function copied(seed: readonly SeedFile[], to: string): Promise<void> {
  await cleared(to)
  for (const { path, from, content } of seed) {
    const target = join(to, path)
    if (from === undefined && content === undefined) await mkdir(target, { recursive: true })
    else if (from !== undefined) await copyFile(from, target, constants.COPYFILE_FICLONE)
    else {
      if (path.includes('/')) await mkdir(dirname(target), { recursive: true })
      await writeFile(target, content ?? '')
    }
  }
}

/** A folder that the job may not write to is the job's own affair. */
async function cleared(to: string): Promise<void> {
  try {
    await rm(to, { recursive: true, force: true })
    await mkdir(to, { recursive: true })
  } catch (error) {
    throw new StepFailed(`Cannot check out into ${dirname(to)}: ${(error as Error).message}`, { cause: error })
  }
}

async function packed(archive: Pack, seed: readonly SeedFile[]): Promise<void> {
  for (const { path, from, content } of seed) {
    if (from !== undefined) {
      const { size } = await stat(from)
      const entry = archive.entry({ name: path, mode: 0o444, size })
      await pipeline(createReadStream(from, { highWaterMark: 256 * 1024 }), entry)
    } else {
      await new Promise<void>((resolve, reject) => {
        const done = (error?: Error | null) => (error ? reject(error) : resolve())
        if (content === undefined) archive.entry({ name: `${path}/`, mode: 0o755, type: 'directory' }, done)
        else archive.entry({ name: path, mode: 0o644 }, content, done)
      })
    }
  }
  archive.finalize()
}
