import { posix } from 'node:path'
import { alternativesOf, namePattern, type NamePattern } from './name-pattern.ts'

/** Somewhere in a pattern: what the next name is compared with. At its end there is nothing more to compare. */
export interface Position {
  readonly wants: NamePattern | { readonly type: 'folders' } | { readonly type: 'end'; readonly onlyFolders: boolean }
  readonly next?: Position
}

/** Where a walk through a tree is, in all of its patterns at once. */
export type Positions = ReadonlySet<Position>

/** Where a walk begins: `**` stands for any number of folders, none too; a slash at the end for folders only. */
export function beginningOf(patterns: readonly string[]): Positions {
  const positions = new Set<Position>()
  for (const pattern of patterns.flatMap(alternativesOf)) {
    // Nothing is asked for by nothing.
    if (pattern === '') continue
    const parts = posix
      .normalize(pattern)
      .split('/')
      .filter((part) => part !== '' && part !== '.')
    let position: Position = { wants: { type: 'end', onlyFolders: pattern.endsWith('/') } }
    for (const part of parts.toReversed()) {
      position = { wants: part === '**' ? { type: 'folders' } : namePattern(part), next: position }
    }
    add(positions, position)
  }
  return positions
}

function add(to: Set<Position>, position: Position): void {
  to.add(position)
  if (position.wants.type === 'folders' && position.next) add(to, position.next)
}

/**
 * Where the walk is behind a name: `named` by parts of patterns that mean it, `passed` by those that mean any folder on
 * the way, which lead through no link.
 */
export function behind(positions: Positions, name: string): { readonly named: Positions; readonly passed: Positions } {
  const named = new Set<Position>()
  const passed = new Set<Position>()
  const isHidden = name.startsWith('.')
  for (const position of positions) {
    const { wants, next } = position
    if (wants.type === 'folders') {
      if (!isHidden) add(passed, position)
    } else if (next && (wants.type === 'name' ? wants.name === name : wants.type === 'wild' && wants.matches(name)))
      add(named, next)
  }
  return { named, passed }
}

/** Whether a pattern ends here. */
export function isFound(positions: Positions, isFolder: boolean): boolean {
  for (const { wants } of positions) if (wants.type === 'end' && (isFolder || !wants.onlyFolders)) return true
  return false
}

/** Tells which paths any of the patterns means. */
export function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const beginning = beginningOf(patterns)
  return (path) => {
    let positions = beginning
    for (const name of path.split('/')) {
      const { named, passed } = behind(positions, name)
      positions = passed.size === 0 ? named : new Set([...named, ...passed])
      if (positions.size === 0) return false
    }
    return isFound(positions, true)
  }
}

/** A name as a pattern that means nothing but it. */
export const literal = (name: string): string => name.replace(/[*?[\]{}\\]/g, '\\$&')

/** The only path that a pattern can mean; undefined where it may mean several. */
export function onlyPathOf(pattern: string): string | undefined {
  const parts = pattern.split('/').map(namePattern)
  const names = parts.map((part) => (part.type === 'name' ? part.name : undefined))
  return alternativesOf(pattern).length > 1 || names.includes(undefined) ? undefined : names.join('/')
}
