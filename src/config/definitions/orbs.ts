import { asMap, asText, checkKeys } from '#config/read.ts'
import { substitute } from '#config/templates/substitute.ts'
import { blame, newTrail, type Trail, within } from '#config/trail.ts'
import { get, isNull, type MapNode, type Node } from '#config/yaml/node.ts'
import { parseYaml } from '#config/yaml/parse-yaml.ts'
import { type Library, missingLibrary, type Section } from './library.ts'
import type { Scope } from './scope.ts'

/** A registry orb, or a sentence that says why it cannot be had. */
export type FoundOrb =
  | { readonly text: string; readonly resolved: string }
  | { readonly text?: undefined; readonly problem: string }

/** Gives the orb that a reference stands for, if there is such an orb. */
export type Registry = (reference: string) => FoundOrb | undefined

/** What an orb can have. */
export const orbKeys = [
  'version',
  'name',
  'description',
  'display',
  'commands',
  'jobs',
  'executors',
  'orbs',
  'examples',
  'parameters',
]
const mostTexts = 100

/** Orbs parsed before, by their source text: kept with a parsed configuration, for they cost more than it. */
export type OrbTexts = Map<string, { readonly root: MapNode } | { readonly message: string }>

interface Loading {
  readonly registry: Registry
  readonly texts: OrbTexts
  /** Scope of the `orbs` stanza; inside of an orb there is none, and nothing is substituted. */
  readonly scope: Scope | undefined
  /** Orbs of this compilation by reference; undefined while one is being loaded. */
  readonly loaded: Map<string, Library | undefined>
}

/** What a configuration defines, and the orbs it imports. */
export function libraryOf(
  root: MapNode,
  registry: Registry,
  texts: OrbTexts,
  outside: Omit<Scope, 'library'>,
  trail: Trail,
): Library {
  const scope = { ...outside, library: { ...missingLibrary, isOrb: false } }
  const orbs = loadOrbs(root, new Map(), { registry, texts, scope, loaded: new Map() }, trail)
  return { ...sectionsOf(root, trail), orbs, groups: groupsOf(root, trail), isOrb: false, isMissing: false }
}

function groupsOf(root: MapNode, trail: Trail): ReadonlyMap<string, Node> {
  const groups = definitions(root, 'job-groups', trail)
  const jobs = get(root, 'jobs')
  for (const [name, node] of groups) {
    if (get(jobs, name)) blame(trail, node, `Cannot use the name ${name} for both a job and a job group`)
  }
  return groups
}

/** What a configuration of version 2 defines: jobs, and nothing else. */
export function plainLibraryOf(root: MapNode, trail: Trail): Library {
  return { ...missingLibrary, jobs: definitions(root, 'jobs', trail), isOrb: false, isMissing: false }
}

function sectionsOf(map: MapNode, trail: Trail) {
  return {
    jobs: definitions(map, 'jobs', trail),
    commands: definitions(map, 'commands', trail),
    executors: definitions(map, 'executors', trail),
  }
}

function definitions(root: MapNode, section: Section | 'job-groups', trail: Trail): ReadonlyMap<string, Node> {
  const node = get(root, section)
  const map = node && !isNull(node) ? asMap(node, trail, section) : undefined
  return new Map([...(map?.entries ?? [])].map(([name, { value }]) => [name, value]))
}

/** Inline orbs may use what was imported beside them before; registry orbs only what they import themselves. */
function loadOrbs(
  root: MapNode,
  around: ReadonlyMap<string, Library>,
  loading: Loading,
  trail: Trail,
): ReadonlyMap<string, Library> {
  const node = get(root, 'orbs')
  const map = node && !isNull(node) ? asMap(node, trail, 'orbs') : undefined
  const orbs = new Map(around)
  for (const [alias, { value }] of map?.entries ?? []) {
    const here = within(trail, `orb: ${alias}`)
    orbs.set(alias, value.kind === 'map' ? inlineOrb(value, orbs, loading, here) : registryOrb(value, loading, here))
  }
  return orbs
}

function inlineOrb(map: MapNode, around: ReadonlyMap<string, Library>, loading: Loading, trail: Trail): Library {
  // As at the top of a configuration, keys that mean nothing are ignored; a typo is not.
  checkKeys(map, orbKeys, { ...trail, isTolerant: true })
  const orbs = loadOrbs(map, around, loading, trail)
  return { ...sectionsOf(map, trail), orbs, groups: new Map(), isOrb: true, isMissing: false }
}

function registryOrb(node: Node, loading: Loading, trail: Trail): Library {
  const reference = asText(loading.scope ? substitute(node, loading.scope, trail) : node, trail)
  if (reference === undefined) return missingLibrary
  const { loaded } = loading
  if (loaded.has(reference)) {
    const before = loaded.get(reference)
    if (!before) blame(trail, node, `Cannot load orb ${reference}: it imports itself`)
    return before ?? missingLibrary
  }
  loaded.set(reference, undefined)
  const library = loadOrb(reference, node, loading, trail)
  loaded.set(reference, library)
  return library
}

function loadOrb(reference: string, node: Node, loading: Loading, trail: Trail): Library {
  const found = loading.registry(reference)
  if (found?.text === undefined) {
    const advice = 'Check that the namespace, orb name and version are correct.'
    blame(trail, node, found?.problem ?? `Cannot find ${reference} in the orb registry. ${advice}`)
    return missingLibrary
  }
  const source = found.text
  trail.notes.orbs.push({ reference, resolved: found.resolved })
  const text = loading.texts.get(source) ?? parseOrb(source)
  if (loading.texts.size >= mostTexts) loading.texts.clear()
  loading.texts.set(source, text)
  if ('message' in text) {
    blame(trail, node, `Error loading ${reference}: ${text.message}`)
    return missingLibrary
  }
  const orbs = loadOrbs(text.root, new Map(), { ...loading, scope: undefined }, trail)
  return { ...sectionsOf(text.root, trail), orbs, groups: new Map(), isOrb: true, isMissing: false }
}

/** Places inside an orb would point into the configuration: a problem of its text is one of its reference. */
function parseOrb(source: string): { readonly root: MapNode } | { readonly message: string } {
  const trail = newTrail()
  const root = parseYaml(source, trail)
  return root?.kind === 'map' ? { root } : { message: trail.problems[0]?.message ?? 'it is not a mapping' }
}
