import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** One commit without a parent, with all that it holds, as it goes over a wire. */
export interface Pack {
  readonly revision: string
  readonly bytes: Buffer
}

interface Thing {
  readonly kind: 'commit' | 'tree' | 'blob'
  readonly id: string
  readonly content: Buffer
}

/** Files by their names, and folders of them. */
interface Folder extends Map<string, Buffer | Folder> {}

const numberOf = { commit: 1, tree: 2, blob: 3 } as const
const who = 'Ada <ada@example.com>'

/** What git would make of these files with `git commit`, and pack to push it. Whatever is started from a process of tests costs ten milliseconds. */
export function packOf(subject: string, files: Readonly<Record<string, string>>): Pack {
  const things: Thing[] = []
  const put = (kind: Thing['kind'], content: Buffer): string => {
    const id = createHash('sha1').update(`${kind} ${content.length}\0`).update(content).digest('hex')
    if (!things.some((thing) => thing.id === id)) things.push({ kind, id, content })
    return id
  }
  const putFolder = (folder: Folder): string => {
    // A folder is sorted as if its name ended in a slash.
    const keyOf = ([name, entry]: [string, Buffer | Folder]) => Buffer.from(Buffer.isBuffer(entry) ? name : `${name}/`)
    const entries = [...folder].toSorted((a, b) => Buffer.compare(keyOf(a), keyOf(b)))
    const lines = entries.flatMap(([name, entry]) => {
      const [mode, id] = Buffer.isBuffer(entry) ? ['100644', put('blob', entry)] : ['40000', putFolder(entry)]
      return [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]
    })
    return put('tree', Buffer.concat(lines))
  }
  const tree = putFolder(foldersOf(files))
  const at = `${Math.floor(Date.now() / 1000)} +0000`
  const revision = put(
    'commit',
    Buffer.from(`tree ${tree}\nauthor ${who} ${at}\ncommitter ${who} ${at}\n\n${subject.trimEnd()}\n`),
  )
  return { revision, bytes: packed(things) }
}

function foldersOf(files: Readonly<Record<string, string>>): Folder {
  const root: Folder = new Map()
  for (const [path, text] of Object.entries(files)) {
    const names = path.split('/')
    let folder = root
    for (const name of names.slice(0, -1)) {
      const inner = folder.get(name) ?? new Map()
      if (Buffer.isBuffer(inner)) throw new Error(`Cannot put ${path} into a commit: ${name} is a file`)
      folder.set(name, inner)
      folder = inner
    }
    folder.set(names.at(-1)!, Buffer.from(text))
  }
  return root
}

function packed(things: readonly Thing[]): Buffer {
  const head = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(things.length, 8)
  const entries = things.flatMap(({ kind, content }) => [sizeOf(kind, content.length), deflateSync(content)])
  const all = Buffer.concat([head, ...entries])
  return Buffer.concat([all, createHash('sha1').update(all).digest()])
}

/** Four bits of the size beside the kind, and seven in each further byte, the least first; the highest bit says that more come. */
function sizeOf(kind: Thing['kind'], size: number): Buffer {
  const bytes = [(numberOf[kind] << 4) | (size & 15)]
  for (let rest = size >>> 4; rest > 0; rest >>>= 7) {
    bytes[bytes.length - 1]! |= 0x80
    bytes.push(rest & 0x7f)
  }
  return Buffer.from(bytes)
}

/** The body of a push that makes these refs, all of one revision. */
export function pushOf({ revision, bytes }: Pack, refs: readonly string[]): Buffer {
  const able = '\0 report-status side-band-64k agent=git/test'
  const commands = refs.map((ref, place) => `${'0'.repeat(40)} ${revision} ${ref}${place === 0 ? able : ''}`)
  const lines = commands.map((line) => (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0') + line)
  return Buffer.concat([Buffer.from(`${lines.join('')}0000`), bytes])
}
