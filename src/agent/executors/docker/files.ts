import { isUtf8 } from 'node:buffer'
import { PassThrough, Readable } from 'node:stream'
import { isAbsolute, join, normalize } from 'node:path'
import type { HardLinks, PlaceFiles } from '#agent/executors/place-files.ts'
import { failureOfTar } from '#agent/executors/refused-by-files.ts'
import { matcherOf, onlyPathOf } from '#agent/glob/pattern.ts'
import { openTurns, sortInTurn } from '#agent/turns.ts'
import { listed, packed, unpacked } from './archive.ts'
import type { Engine } from './engine.ts'
import { runIn } from './exec.ts'

/** Prints, each with a NUL, the named files that are there, then everything below the named folders. */
const lister = `cd "$1" || exit 0
shift
while [ "$1" != -- ]; do
  if [ -e "./$1" ] || [ -L "./$1" ]; then printf '%s\\0' "$1"; fi
  shift
done
shift
[ $# -eq 0 ] || exec find "$@" -print0 2>/dev/null`

/** The most that is said in arguments: a command line has an end. */
const mostWords = 100_000

/** The files of a container. Its own tar and find do the work where it has them, else the engine does. */
export function containerFiles(engine: Engine, container: string): PlaceFiles {
  let known: Promise<boolean> | undefined
  const hasTar = () =>
    (known ??= runIn(engine, container, {
      command: ['/bin/sh', '-c', 'command -v tar >/dev/null && tar --version 2>/dev/null | grep -q GNU'],
    }).then(({ code }) => code === 0))

  async function find(root: string, patterns: readonly string[]): Promise<readonly string[]> {
    const plain = new Set(
      patterns
        .map(onlyPathOf)
        .filter((path) => path !== undefined)
        .map(tidy),
    )
    const wild = patterns.filter((pattern) => onlyPathOf(pattern) === undefined).map(tidy)
    const names: string[] = []
    let rest = ''
    const { code } = await runIn(
      engine,
      container,
      { command: ['/bin/sh', '-c', lister, 'find', root, ...plain, '--', ...outermost(wild.map(prefixOf))] },
      {
        take(bytes) {
          const parts = (rest + bytes.toString('latin1')).split('\0')
          rest = parts.pop() ?? ''
          for (const part of parts) {
            const name = Buffer.from(part, 'latin1')
            // One that is no text could not be asked for, as the engine takes texts: the folder that it lies in can.
            if (isUtf8(name)) names.push(tidy(name.toString()))
          }
        },
      },
    )
    const all = code === 127 ? [...names, ...(await listed(engine, container, root))] : names
    const isMeant = matcherOf(wild)
    const wanted = new Set<string>()
    const turns = openTurns()
    for (const name of all) {
      if (plain.has(name) || isMeant(name)) wanted.add(name)
      if (turns.due()) await turns.give()
    }
    return sortInTurn([...wanted], turns)
  }

  async function packInto(
    root: string,
    paths: readonly string[],
    archive: PassThrough,
    links?: HardLinks,
  ): Promise<void> {
    const short = paths.reduce((sum, path) => sum + path.length + 1, 0) < mostWords
    if (!short || !(await hasTar())) return packed(engine, container, root, paths, archive)
    const absolute = paths.some(isAbsolute) ? ['-P'] : []
    const apart = links === 'as-files' ? ['--hard-dereference'] : []
    const command = ['tar', '-c', ...absolute, ...apart, '-C', root, '-f', '-', '--', ...paths]
    const { code, errors } = await runIn(engine, container, { command }, { output: archive })
    // Its code 1 says that a file changed while it was read: what was read counts.
    if (code !== 0 && code !== 1)
      throw failureOfTar(`Cannot pack files below ${root}: tar ended with ${code}: ${errors}`)
    archive.end()
  }

  return {
    find,
    pack(root, paths, links) {
      const archive = new PassThrough()
      packInto(root, paths, archive, links).catch((error: unknown) => archive.destroy(error as Error))
      return archive
    },
    async unpack(root, archive) {
      const script = 'command -v tar >/dev/null || exit 127; mkdir -p "$1" && exec tar -x -p -o -C "$1" -f -'
      if (!(await canUnpack())) return unpacked(engine, container, root, archive)
      const command = ['/bin/sh', '-c', script, 'unpack', root]
      const { code, errors, fed } = await runIn(engine, container, { command }, { input: archive })
      if (fed.status === 'rejected' && code === 0) throw fed.reason
      if (archive instanceof Readable && archive.errored) throw archive.errored
      if (code !== 0) throw failureOfTar(`Cannot unpack into ${root}: tar ended with ${code}: ${errors}`)
    },
  }

  async function canUnpack(): Promise<boolean> {
    const { code } = await runIn(engine, container, { command: ['/bin/sh', '-c', 'command -v tar >/dev/null'] })
    return code === 0
  }
}

const tidy = (path: string) => normalize(path).replace(/\/+$/, '')

/** The folder above the first part that is a pattern, as an argument that no command takes for an option. */
function prefixOf(pattern: string): string {
  const parts = pattern.split('/')
  return join('.', ...parts.slice(0, parts.findIndex(isOpen)))
}

/** Braces may hold slashes, so that a part of them need not be a whole pattern. */
const isOpen = (part: string) => /[*?[\]{}\\]/.test(part)

/** Without those that lie in another one: they would be walked twice. */
function outermost(folders: readonly string[]): readonly string[] {
  const all = [...new Set(folders)]
  const inOther = (folder: string) =>
    all.some((other) => other !== folder && (other === '.' || folder.startsWith(`${other}/`)))
  return all.filter((folder) => !inOther(folder)).map((folder) => (folder === '.' ? '.' : `./${folder}/`))
}
