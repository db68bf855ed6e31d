import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'

/**
 * Where engines listen, by the names that they have below `/run`: whoever may speak to one can have any file of the machine, read
 * only or not. Those of a user listen below `user`.
 */
const engines = /^(?:user$|docker|containerd|podman|libpod|crio|buildkit|k3s|balena)/

/** A folder with more in it is not taken apart: each thing is a mount of its own, for every command. */
const mostEntries = 300

/** The folders in which sockets of the machine usually are: of old, one more that is the same. */
const rooms = () => new Set(['/run', '/var/run'].flatMap((folder) => realPath(folder) ?? []))

/**
 * What hides the engines of the machine from a command in bubblewrap, also those that begin to listen while it runs. A socket
 * that is covered comes to light when its engine makes it anew, as a mount goes away with the file beneath it: so the folders in
 * which sockets are made are the command's own, with all else that is in them. `passing` are folders that it has of its own anyway.
 */
export function closedDoors(engine: string | undefined, passing: readonly string[]): readonly string[] {
  const usual = rooms()
  const door = doorOf(engine)
  const isHidden = (folder: string) => (name: string) =>
    (usual.has(folder) && engines.test(name)) || (folder === door?.folder && name === door.name)
  const isOwn = (folder: string) => passing.some((own) => `${folder}${sep}`.startsWith(own + sep))
  const folders = [...new Set([...usual, ...(door ? [door.folder] : [])])].filter((folder) => !isOwn(folder))
  // What lies in another comes after it, or would be covered with it.
  return folders
    .toSorted((a, b) => a.length - b.length)
    .flatMap((folder) => ownFolder(folder, isHidden(folder)) ?? covered(folder, isHidden(folder), door))
}

/** Changes when something comes or goes in these folders: a command that was locked in before does not see it. */
export function lookOf(engine: string | undefined): string {
  const door = doorOf(engine)
  const folders = new Set([...rooms(), ...(door ? [door.folder] : [])])
  return [...folders]
    .flatMap((folder) => entriesOf(folder)?.map(({ name }) => markOf(join(folder, name))) ?? [])
    .join('\n')
}

function markOf(path: string): string {
  return `${path} ${lstatSync(path, { throwIfNoEntry: false })?.ino}`
}

/** The real folder of a socket, and its name in it. */
interface Door {
  readonly folder: string
  readonly name: string
}

/** Where a socket is, or will be. */
function doorOf(engine: string | undefined): Door | undefined {
  if (engine === undefined) return undefined
  const real = realPath(engine) ?? engine
  const folder = realPath(dirname(real))
  return folder === undefined ? undefined : { folder, name: basename(real) }
}

/** The same folder as it is now, without some of what is in it and without what will come; undefined where that cannot be done. */
function ownFolder(folder: string, isHidden: (name: string) => boolean): readonly string[] | undefined {
  const entries = folder === sep ? undefined : entriesOf(folder)
  if (!entries || entries.length > mostEntries) return undefined
  const kept = entries.filter(({ name }) => !isHidden(name))
  return ['--tmpfs', folder, ...kept.flatMap((entry) => sameEntry(folder, entry)), '--remount-ro', folder]
}

/** Where a folder cannot be the command's own: what of it is there is covered. */
function covered(folder: string, isHidden: (name: string) => boolean, door: Door | undefined): readonly string[] {
  const known = entriesOf(folder)?.map(({ name }) => name) ?? (door?.folder === folder ? [door.name] : [])
  return known.filter(isHidden).flatMap((name) => {
    const path = join(folder, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found) return []
    return found.isDirectory() ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]
  })
}

/** What has gone meanwhile is left out. */
function sameEntry(folder: string, entry: Dirent): readonly string[] {
  const path = join(folder, entry.name)
  if (!entry.isSymbolicLink()) return ['--ro-bind-try', path, path]
  try {
    return ['--symlink', readlinkSync(path), path]
  } catch {
    return []
  }
}

function entriesOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return undefined
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
