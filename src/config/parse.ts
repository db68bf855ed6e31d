import type { Plan } from '#core/plan.ts'
import type { OrbTexts } from './definitions/orbs.ts'
import type { Problem } from './problem.ts'
import { blame, newTrail } from './trail.ts'
import { get, type MapNode, type Node } from './yaml/node.ts'
import { parseYaml } from './yaml/parse-yaml.ts'

/** A configuration whose text is understood: worth keeping, as it is the dear half of compiling. */
export interface Parsed {
  readonly source: string
  readonly problems: readonly Problem[]
  readonly version: Plan['version'] | undefined
  readonly root: MapNode | undefined
  /** Filled by the first compile that needs an orb. */
  readonly orbs: OrbTexts
}

/** Reads a configuration's text. What does not depend on a pipeline is settled here, once. */
export function parse(source: string): Parsed {
  const trail = newTrail()
  const root = parseYaml(source, trail)
  if (!root) return { source, problems: trail.problems, version: undefined, root: undefined, orbs: new Map() }
  if (root.kind !== 'map') {
    blame(trail, root, 'Cannot read configuration as it must be a mapping with a key [version]')
    return { source, problems: trail.problems, version: undefined, root: undefined, orbs: new Map() }
  }
  const version = versionOf(root)
  const given = get(root, 'version')
  if (!version) {
    if (!given) blame(trail, root, 'required key [version] not found')
    else
      blame(
        trail,
        given,
        `Cannot compile version ${given.kind === 'scalar' ? given.text : given.kind} as it must be 2 or 2.1`,
      )
  }
  return { source, problems: trail.problems, version, root, orbs: new Map() }
}

/** The version a configuration declares; the oldest form declares none and has sections of its own. */
function versionOf(root: MapNode): Plan['version'] | undefined {
  const given = get(root, 'version')
  if (!given)
    return oldSections.some((section) => root.entries.has(section)) && !root.entries.has('jobs') ? '1.0' : undefined
  return versionOfNode(given)
}

const oldSections = ['machine', 'checkout', 'dependencies', 'database', 'compile', 'test', 'deployment', 'general']

function versionOfNode(given: Node): Plan['version'] | undefined {
  if (given.kind !== 'scalar') return undefined
  switch (given.text) {
    case '1':
    case '1.0':
      return '1.0'
    case '2':
    case '2.0':
      return '2'
    case '2.1':
      return '2.1'
    default:
      return undefined
  }
}
