import { type Dirent, lstatSync, opendirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openTurns, sortInTurn, type Turns } from '#agent/turns.ts'
import { behind, beginningOf, isFound, type Positions } from './pattern.ts'

/** As many names are asked for at a time. */
const namesAtOnce = 512

type Kind = Pick<Dirent, 'isDirectory' | 'isSymbolicLink'>

/**
 * The files and folders of this machine that patterns mean below a folder, relative to it, sorted, each once. Folders that
 * cannot be read hold nothing. Others have their turns meanwhile, however many names there are.
 */
export async function findFiles(
  root: string,
  patterns: readonly string[],
  turns: Turns = openTurns(),
): Promise<readonly string[]> {
  const found = new Set<string>()
  const folders: { readonly path: string; readonly positions: Positions }[] = []
  const beginning = beginningOf(patterns)
  if (isFound(beginning, true) && isFolder(root)) found.add('.')
  folders.push({ path: '', positions: beginning })

  function look(folder: string, positions: Positions, name: string, kind: Kind): void {
    const { named, passed } = behind(positions, name)
    const path = folder === '' ? name : `${folder}/${name}`
    const leadsOn = kind.isSymbolicLink() && canLead(named) && isFolder(join(root, path))
    if (named.size === 0 && passed.size === 0) return
    const isOne = kind.isDirectory() || leadsOn
    if (isFound(named, isOne) || isFound(passed, isOne)) found.add(path)
    const further = kind.isDirectory() ? new Set([...named, ...passed]) : leadsOn ? named : new Set<never>()
    if (canLead(further)) folders.push({ path, positions: further })
  }

  for (let next = folders.pop(); next; next = folders.pop()) {
    const { path, positions } = next
    const names = new Set<string>()
    let isOpen = false
    for (const { wants } of positions) {
      if (wants.type === 'name') names.add(wants.name)
      else if (wants.type !== 'end') isOpen = true
    }
    // What has a name is looked for by it, unless all are looked at anyway: no list has the way up.
    for (const name of names) {
      if (isOpen && name !== '..') continue
      const kind = lstatOf(join(root, path, name))
      if (kind) look(path, positions, name, kind)
    }
    if (!isOpen) continue
    for (const child of childrenOf(join(root, path))) {
      look(path, positions, child.name, child)
      if (turns.due()) await turns.give()
    }
  }
  return sortInTurn([...found], turns)
}

/** Whether anything more can be found behind these. */
function canLead(positions: Positions): boolean {
  for (const { wants } of positions) if (wants.type !== 'end') return true
  return false
}

function* childrenOf(folder: string): Generator<Dirent> {
  let handle
  try {
    handle = opendirSync(folder, { bufferSize: namesAtOnce })
  } catch {
    return
  }
  try {
    for (let child = handle.readSync(); child !== null; child = handle.readSync()) yield child
  } finally {
    handle.closeSync()
  }
}

function lstatOf(path: string): Kind | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // Behind a file, or where we may not look.
    return undefined
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}
