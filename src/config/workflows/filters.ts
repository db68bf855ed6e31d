import type { Scope } from '#config/definitions/scope.ts'
import { matchesPattern, patternProblem } from '#config/pattern/pattern.ts'
import { asMap, asTexts, checkKeys } from '#config/read.ts'
import { blame, newTrail, type Trail, within } from '#config/trail.ts'
import { get, isNull, type Node } from '#config/yaml/node.ts'
import { nodeOf } from '#config/yaml/node-of.ts'
import { expressionHolds } from './condition.ts'

/** The names a filter lets through and keeps out; `/…/` is a pattern for the whole name. */
export interface NameFilter {
  readonly only?: readonly string[]
  readonly ignore?: readonly string[]
}

/** For which branches and tags a job runs. */
export interface Filters {
  readonly branches?: NameFilter
  readonly tags?: NameFilter
}

/** What a pipeline was made for: a tag, or a branch, or neither known. */
export interface Ref {
  readonly branch: string | undefined
  readonly tag: string | undefined
}

/** Filters that let every branch and every tag in. */
export const everyRef = { branches: { only: '/.*/' }, tags: { only: '/.*/' } }
const noRef = { branches: { ignore: '/.*/' }, tags: { ignore: '/.*/' } }

/** Whether a job runs for a pipeline, and its filters as the compiled form keeps them. */
export function decideFilters(node: Node | undefined, ref: Ref, scope: Scope, trail: Trail) {
  if (node?.kind !== 'scalar' || isNull(node))
    return { runs: passes(readFilters(node, trail), ref, trail), filters: node }
  const runs = expressionHolds(node, scope, trail)
  // An expression is decided here; what stays lets everything in, or nothing (§A14).
  return { runs, filters: nodeOf(runs ? everyRef : noRef, node) }
}

/** Reads the mapping form of `filters`. */
export function readFilters(node: Node | undefined, trail: Trail): Filters {
  const map = node && !isNull(node) ? asMap(node, trail, 'filters') : undefined
  if (!map) return {}
  const here = within(trail, 'filters')
  checkKeys(map, ['branches', 'tags'], here)
  const branches = readNameFilter(get(map, 'branches'), here)
  const tags = readNameFilter(get(map, 'tags'), here)
  return { ...(branches && { branches }), ...(tags && { tags }) }
}

/** Reads `only` and `ignore`. */
export function readNameFilter(node: Node | undefined, trail: Trail): NameFilter | undefined {
  if (!node || isNull(node)) return undefined
  const map = asMap(node, trail)
  if (!map) return undefined
  checkKeys(map, ['only', 'ignore'], trail)
  const only = readNames(get(map, 'only'), trail)
  const ignore = readNames(get(map, 'ignore'), trail)
  return only || ignore ? { ...(only && { only }), ...(ignore && { ignore }) } : undefined
}

function readNames(node: Node | undefined, trail: Trail): readonly string[] | undefined {
  if (!node || isNull(node)) return undefined
  const names = asTexts(node, trail)
  for (const name of names) {
    const pattern = patternOf(name)
    const problem = pattern === undefined ? undefined : patternProblem(pattern)
    if (problem !== undefined) blame(trail, node, `Cannot use pattern ${name}: ${problem}`)
  }
  return names
}

/**
 * Whether a job with these filters runs for a pipeline. A tag needs a filter that lets it in; a branch needs none (§A10).
 * A push that carries both is a branch's.
 */
export function passes(filters: Filters, { branch, tag }: Ref, trail: Trail): boolean {
  if (branch !== undefined) return nameFilterPasses(filters.branches, branch, trail)
  if (tag !== undefined) return filters.tags !== undefined && nameFilterPasses(filters.tags, tag, trail)
  return true
}

/** Whether a name gets through; where both lists are given, `only` decides. */
export function nameFilterPasses(filter: NameFilter | undefined, name: string, trail: Trail): boolean {
  if (filter?.only) return filter.only.some((wanted) => nameMatches(wanted, name, trail))
  if (filter?.ignore) return !filter.ignore.some((unwanted) => nameMatches(unwanted, name, trail))
  return true
}

/** Whether a branch gets through the filter of a scheduled workflow, which was read before. */
export const matchesFilter = (filter: NameFilter, name: string): boolean => nameFilterPasses(filter, name, newTrail())

function nameMatches(wanted: string, name: string, trail: Trail): boolean {
  const pattern = patternOf(wanted)
  return pattern === undefined ? wanted === name : matchesPattern(pattern, name, trail.work)
}

function patternOf(name: string): string | undefined {
  return name.length > 1 && name.startsWith('/') && name.endsWith('/') ? name.slice(1, -1) : undefined
}
