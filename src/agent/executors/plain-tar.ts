import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, link, lstat, mkdir, readdir, readlink, rm, symlink, utimes } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, type Header, pack, type Pack } from 'tar-stream'

/** Packs files where the machine has no tar that would do: plain files, folders and symbolic links, nothing else. */
export async function packPlainly(root: string, paths: readonly string[], archive: Writable): Promise<void> {
  const packing = pack()
  const sent = pipeline(packing, archive)
  // Awaited below; until then a failure of the receiver must not end the process.
  sent.catch(() => {})
  try {
    for (const path of paths) await addTree(packing, isAbsolute(path) ? path : join(root, path), path)
    packing.finalize()
  } catch (error) {
    packing.destroy(error as Error)
  }
  await sent
}

async function addTree(packing: Pack, file: string, name: string): Promise<void> {
  const found = await lstat(file)
  const { mode, mtime, size } = found
  const header = { name, mode: mode & 0o7777, mtime }
  if (found.isDirectory()) {
    await written(packing, { ...header, name: `${name}/`, type: 'directory' })
    for (const child of (await readdir(file)).toSorted()) await addTree(packing, join(file, child), `${name}/${child}`)
  } else if (found.isSymbolicLink()) {
    await written(packing, { ...header, type: 'symlink', linkname: await readlink(file) })
  } else if (found.isFile()) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry = packing.entry({ ...header, size, type: 'file' }, (error) => (error ? reject(error) : resolve()))
    // A file that grows while it is read counts up to the size that it had.
    if (size > 0) await pipeline(createReadStream(file, { end: size - 1 }), entry)
    else entry.end(Buffer.alloc(0))
    await promise
  }
}

function written(packing: Pack, header: Partial<Header> & { readonly name: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    packing.entry(header, (error) => (error ? reject(error) : resolve()))
  })
}

/** Unpacks what `packPlainly` and tar make. What is in the way of a file or a link is replaced. */
export async function unpackPlainly(root: string, archive: Readable): Promise<void> {
  const unpacking = extract()
  const fed = pipeline(archive, unpacking)
  // The loop below ends with the same error.
  fed.catch(() => {})
  // Times last: what is put into a folder later would change them.
  const folders: [string, Header][] = []
  for await (const entry of unpacking) {
    const { header } = entry
    const file = join(root, header.name)
    if (header.type === 'directory') {
      await mkdir(file, { recursive: true })
      folders.push([file, header])
    } else {
      await mkdir(dirname(file), { recursive: true })
      await rm(file, { force: true, recursive: true })
      if (header.type === 'symlink') await symlink(header.linkname ?? '', file)
      else if (header.type === 'link') await link(join(root, header.linkname ?? ''), file)
      else await pipeline(entry, createWriteStream(file, { mode: header.mode ?? 0o644 }))
      if (header.type === 'file') await dress(file, header)
    }
    entry.resume()
  }
  await fed
  for (const [file, header] of folders.toReversed()) await dress(file, header)
}

async function dress(file: string, { mode, mtime }: Header): Promise<void> {
  await chmod(file, mode)
  await utimes(file, mtime, mtime)
}
