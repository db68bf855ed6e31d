import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileOf, isTest, type Source } from './sources.ts'

/** One line of the table in docs/architecture.md. */
export interface Room {
  readonly name: string
  readonly mayImport: readonly string[]
  /** Names of packages; `node:` stands for everything that Node brings. */
  readonly packages: readonly string[]
}

/** The rooms, as the table of the architecture page tells them. */
export function readRooms(): readonly Room[] {
  const page = readFileSync(join(import.meta.dirname, '../docs/architecture.md'), 'utf8').split('\n')
  const table = page.slice(page.findIndex((line) => line.startsWith('| room |')) + 2)
  return table.slice(0, table.indexOf('')).map((line) => {
    const [, name = '', , mayImport = '', packages = ''] = line.split('|').map((cell) => cell.trim())
    return { name, mayImport: words(mayImport), packages: words(packages) }
  })
}

const words = (cell: string): readonly string[] => cell.split(' ').filter((word) => word !== '')

/** Why this file may not import that; nothing where it may. */
export function objection(
  rooms: readonly Room[],
  { path }: Pick<Source, 'path'>,
  imported: string,
): string | undefined {
  const room = roomOf(rooms, path)
  if (room === undefined) return 'stands in no room'
  const target = fileOf(path, imported)
  // What serves tests of several rooms lies outside all of them.
  if (isTest(path) && target?.startsWith('test/')) return undefined
  if (target === undefined) return isTest(path) || isListed(room, imported) ? undefined : 'a package that is not listed'
  if (imported.includes('../')) return 'climbs out of its folder'
  const other = roomOf(rooms, target)?.name
  return other === room.name || room.mayImport.includes(other ?? '') ? undefined : 'another room that is not listed'
}

/** The room of a file: of those that hold it, the innermost. */
function roomOf(rooms: readonly Room[], path: string): Room | undefined {
  const holding = rooms.filter(({ name }) => path.startsWith(`src/${name}/`))
  return holding.toSorted((a, b) => b.name.length - a.name.length)[0]
}

function isListed({ packages }: Room, imported: string): boolean {
  if (imported.startsWith('node:') && packages.includes('node:')) return true
  return packages.some((name) => imported === name || imported.startsWith(`${name}/`))
}
