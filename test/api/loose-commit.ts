import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'

const pack = promisify(deflate)
const unpack = promisify(inflate)

const placeOf = (repository: string, id: string) => join(repository, 'objects', id.slice(0, 2), id.slice(2))

/**
 * Commits once more what the commit before has, where that lies in a file of its own, and moves the branch that is checked out:
 * says the revision, or nothing where only git can do it.
 */
export async function commitUpon(repository: string, before: string, subject: string): Promise<string | undefined> {
  const file = await readFile(placeOf(repository, before)).catch(() => undefined)
  const [, tree] = /\0tree ([0-9a-f]{40})\n/.exec(file === undefined ? '' : (await unpack(file)).toString()) ?? []
  const [, branch = 'HEAD'] = /^ref: (.*)/.exec(await readFile(join(repository, 'HEAD'), 'utf8')) ?? []
  if (tree === undefined) return undefined
  const by = `Ada <ada@example.com> ${Math.floor(Date.now() / 1000)} +0000`
  const text = `tree ${tree}\nparent ${before}\nauthor ${by}\ncommitter ${by}\n\n${subject.trimEnd()}\n`
  const content = Buffer.from(`commit ${Buffer.byteLength(text)}\0${text}`)
  const id = createHash('sha1').update(content).digest('hex')
  await mkdir(dirname(placeOf(repository, id)), { recursive: true })
  await writeFile(placeOf(repository, id), await pack(content))
  await writeFile(join(repository, branch), `${id}\n`)
  return id
}
