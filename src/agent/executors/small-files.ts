import { Readable } from 'node:stream'
import { extract, pack } from 'tar-stream'
import { literal } from '#agent/glob/pattern.ts'
import type { PlaceFiles } from './place-files.ts'

/** A file to be put somewhere, or a folder where it has no content. */
export interface NewFile {
  readonly path: string
  readonly mode: number
  readonly content?: string
}

const most = 1_000_000

/** The text of one small file of a place; nothing where there is none. */
export async function fileIn(files: PlaceFiles, root: string, path: string): Promise<string | undefined> {
  if ((await files.find(root, [literal(path)])).length === 0) return undefined
  const archive = extract()
  files
    .pack(root, [path])
    .on('error', (error: Error) => archive.destroy(error))
    .pipe(archive)
  let text: string | undefined
  for await (const entry of archive) {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of entry as AsyncIterable<Buffer>) if ((size += chunk.length) <= most) chunks.push(chunk)
    if (entry.header.type === 'file') text = Buffer.concat(chunks).toString('utf8')
  }
  return text
}

/** An archive of small files, in their order. */
export function tarOf(files: readonly NewFile[]): Readable {
  const archive = pack()
  for (const { path, mode, content } of files) {
    if (content === undefined) archive.entry({ name: path, mode, type: 'directory' })
    else archive.entry({ name: path, mode }, content)
  }
  archive.finalize()
  return Readable.from(archive as AsyncIterable<Uint8Array>)
}
