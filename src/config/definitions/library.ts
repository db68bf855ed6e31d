import { hint } from '#config/nearest.ts'
import { blame, isFull, type Trail } from '#config/trail.ts'
import type { Node, Place } from '#config/yaml/node.ts'

/** What can be defined once and used by name. */
export type Section = 'jobs' | 'commands' | 'executors'

/** The definitions that one configuration or one orb can name. */
export interface Library {
  readonly jobs: ReadonlyMap<string, Node>
  readonly commands: ReadonlyMap<string, Node>
  readonly executors: ReadonlyMap<string, Node>
  /** By the alias they were imported under. */
  readonly orbs: ReadonlyMap<string, Library>
  /** Groups of jobs, which only a configuration has. */
  readonly groups: ReadonlyMap<string, Node>
  readonly isOrb: boolean
  /** Could not be loaded, which is a problem already noted: whatever is missing in it is no news. */
  readonly isMissing: boolean
}

/** Stands for an orb that could not be loaded. */
export const missingLibrary: Library = {
  jobs: new Map(),
  commands: new Map(),
  executors: new Map(),
  orbs: new Map(),
  groups: new Map(),
  isOrb: true,
  isMissing: true,
}

/** A definition, and the library whose names it may use. */
export interface Definition {
  readonly node: Node
  readonly library: Library
}

/** Aliases of aliases of aliases: more is a ring. */
const mostHops = 10

/** Finds `name` or `orb/name`, following definitions that are only another name. */
export function find(library: Library, section: Section, name: string): Definition | undefined {
  let here = library
  let wanted = name
  for (let hop = 0; hop < mostHops; hop++) {
    let node = here[section].get(wanted)
    if (!node) {
      const slash = wanted.indexOf('/')
      const orb = slash > 0 ? here.orbs.get(wanted.slice(0, slash)) : undefined
      node = orb?.[section].get(wanted.slice(slash + 1))
      if (!orb || !node) return undefined
      here = orb
    }
    if (node.kind !== 'scalar' || typeof node.value !== 'string') return { node, library: here }
    wanted = node.value
  }
  return undefined
}

/** Notes that nothing of that name is defined. */
export function blameMissing(
  library: Library,
  section: Section,
  name: string,
  place: Place,
  trail: Trail,
  known: Iterable<string> = [],
): void {
  if (isFull(trail)) return
  const noun = section.slice(0, -1)
  const slash = name.indexOf('/')
  const orb = slash > 0 ? library.orbs.get(name.slice(0, slash)) : undefined
  if (orb?.isMissing) return
  if (slash > 0 && !orb) {
    const alias = name.slice(0, slash)
    blame(
      trail,
      place,
      `Cannot find a definition for ${noun} named ${name}: there is no orb named ${alias}${hint(alias, library.orbs.keys())}`,
    )
    return
  }
  const names = orb
    ? [...orb[section].keys()].map((each) => name.slice(0, slash + 1) + each)
    : [...library[section].keys(), ...known]
  blame(trail, place, `Cannot find a definition for ${noun} named ${name}${hint(name, names)}`)
}
