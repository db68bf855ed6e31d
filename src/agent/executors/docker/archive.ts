import { isAbsolute, join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pack } from 'tar-stream'
import type { Engine } from './engine.ts'
import { EngineRefusal } from './engine.ts'

/*
 * The files of a container by the engine's own means, for images that have no tar. It needs to read every byte of an archive,
 * as the engine gives names of its own; so it is slower than a tar inside.
 */

/** Loaded when it is needed: most jobs do without. */
const tar = () => import('tar-stream')

const archiveOf = (container: string) => `/containers/${container}/archive`

/** Every path below a folder, relative to it; none where there is no such folder. */
export async function listed(engine: Engine, container: string, root: string): Promise<readonly string[]> {
  const names: string[] = []
  try {
    const answer = await engine.read('GET', archiveOf(container), { query: { path: `${root}/.` } })
    const reading = (await tar()).extract()
    const fed = pipeline(answer, reading)
    fed.catch(() => {})
    for await (const entry of reading) {
      names.push(entry.header.name.replace(/^\.\//, '').replace(/\/+$/, ''))
      entry.resume()
    }
    await fed
  } catch (error) {
    if (!(error instanceof EngineRefusal && error.status === 404)) throw error
  }
  return names
}

/** Writes a tar of the named paths. */
export async function packed(
  engine: Engine,
  container: string,
  root: string,
  paths: readonly string[],
  archive: Writable,
): Promise<void> {
  const packing = (await tar()).pack()
  const sent = pipeline(packing, archive)
  sent.catch(() => {})
  try {
    for (const path of paths)
      await addPath(engine, container, isAbsolute(path) ? path : join(root, path), path, packing)
    packing.finalize()
  } catch (error) {
    packing.destroy(error as Error)
  }
  await sent
}

async function addPath(engine: Engine, container: string, path: string, name: string, packing: Pack): Promise<void> {
  const answer = await engine.read('GET', archiveOf(container), { query: { path } }).catch((error: Error) => {
    throw new Error(`Cannot pack ${name}: ${error.message}`, { cause: error })
  })
  const reading = (await tar()).extract()
  const fed = pipeline(answer, reading)
  fed.catch(() => {})
  const renamed = (given: string) => given.replace(/^[^/]*/, () => name)
  for await (const entry of reading) {
    const { header } = entry
    const linkname = header.type === 'link' && header.linkname ? renamed(header.linkname) : header.linkname
    await pipeline(entry, packing.entry({ ...header, name: renamed(header.name), linkname: linkname ?? null }))
  }
  await fed
}

/** Unpacks a tar below a folder, which is made. What is unpacked belongs to whom the archive says. */
export async function unpacked(engine: Engine, container: string, root: string, archive: Readable): Promise<void> {
  const { extract, pack } = await tar()
  const packing = pack()
  const taken = engine.feed('PUT', archiveOf(container), Readable.from(packing), { query: { path: '/' } })
  taken.catch(() => {})
  const inRoot = (name: string) => join(root, name).replace(/^\/+/, '')
  try {
    await new Promise<void>((resolve) => {
      packing.entry({ name: `${inRoot('')}/`, type: 'directory', mode: 0o777 }, () => resolve())
    })
    const reading = extract()
    const fed = pipeline(archive, reading)
    fed.catch(() => {})
    for await (const entry of reading) {
      const { header } = entry
      const linkname = header.type === 'link' && header.linkname ? inRoot(header.linkname) : header.linkname
      await pipeline(entry, packing.entry({ ...header, name: inRoot(header.name), linkname: linkname ?? null }))
    }
    await fed
    packing.finalize()
  } catch (error) {
    packing.destroy(error as Error)
    throw error
  }
  await taken
}
