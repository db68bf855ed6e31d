import { asTexts } from '#config/read.ts'
import { type Trail, within } from '#config/trail.ts'
import { everyRef, type NameFilter, nameFilterPasses, readNameFilter, type Ref } from '#config/workflows/filters.ts'
import { get, type MapNode, mapNode, type Node, type Place } from '#config/yaml/node.ts'
import { nodeOf, type Written } from '#config/yaml/node-of.ts'
import { type Manner, readCommands, stepOf } from './commands.ts'
import { deploymentFor, deploymentSteps } from './deployment.ts'
import { inferredDependencies, inferredTests } from './inference.ts'
import { artifactsFolder, machineSteps, plainEnvironment, reportsFolder } from './machine.ts'

/**
 * Writes a configuration of version 1.0 as one of version 2: one job whose steps are the phases (§A16).
 * A branch or tag that is not to be built leaves no workflow.
 */
export function upgrade(root: MapNode, ref: Ref, owner: string | undefined, trail: Trail): MapNode {
  const deployment = deploymentFor(get(root, 'deployment'), ref, owner, trail)
  const isTag = ref.branch === undefined && ref.tag !== undefined
  const runs = isTag ? deployment !== undefined : isBuilt(root, ref, trail)
  const document: Written = {
    version: 2,
    workflows: { version: 2, ...(runs && { workflow: { jobs: [{ build: { filters: everyRef } }] } }) },
    jobs: { build: jobOf(root, deployment, trail) },
    notify: get(root, 'notify'),
  }
  const node = nodeOf(document, root)
  return node.kind === 'map' ? node : root
}

function isBuilt(root: MapNode, { branch }: Ref, outer: Trail): boolean {
  const trail = within(outer, 'general')
  return branch === undefined || nameFilterPasses(branchesOf(root, outer), branch, trail)
}

/** The branches that a configuration of version 1.0 builds. */
export const branchesOf = (root: MapNode, outer: Trail): NameFilter | undefined =>
  readNameFilter(get(get(root, 'general'), 'branches'), within(outer, 'general'))

/** Whether a configuration of version 1.0 has no test to run: it says so, as otherwise some are looked for. */
export const hasNoTests = (root: MapNode, trail: Trail): boolean => tests(root, trail).length === 0

function jobOf(root: MapNode, deployment: MapNode | undefined, trail: Trail): Written {
  const machine = get(root, 'machine')
  const folder = get(get(root, 'general'), 'build_dir')
  const xcode = get(get(machine, 'xcode'), 'version')
  return {
    ...(xcode ? { macos: { xcode } } : { machine: true }),
    environment: plainEnvironment(machine, trail),
    steps: [
      ...phase(root, 'machine', ['pre'], setup, trail),
      ...machineSteps(machine, root, trail),
      ...phase(root, 'machine', ['post'], setup, trail),
      'checkout',
      ...enter(folder),
      ...phase(root, 'checkout', ['post'], setup, trail),
      ...dependencies(root, trail),
      ...phase(root, 'database', ['pre', 'override', 'post'], setup, trail),
      ...phase(root, 'compile', ['pre', 'override', 'post'], setup, trail),
      ...tests(root, trail),
      ...(deployment ? deploymentSteps(deployment, trail) : []),
      ...results(root, trail),
    ],
  }
}

const setup: Manner = { step: 'run' }

function phase(
  root: MapNode,
  section: string,
  lists: readonly string[],
  manner: Manner,
  outer: Trail,
): readonly Node[] {
  const trail = within(outer, section)
  const commands = lists.flatMap((list) => readCommands(get(get(root, section), list), trail))
  return commands.map((command) => stepOf(command, manner, trail))
}

/** Every command after the checkout runs in the folder that `build_dir` names. */
function enter(folder: Node | undefined): readonly Written[] {
  if (folder?.kind !== 'scalar') return []
  const line = `cd "$HOME/project/${folder.text.replace(/["$`\\]/g, '\\$&')}" 2>/dev/null || true`
  return [{ run: { name: `Enter ${folder.text}`, command: `cat >> "$BASH_ENV" <<'END'\n${line}\nEND` } }]
}

/** Caches are kept for each branch, and saved as soon as the dependencies are complete. */
function dependencies(root: MapNode, trail: Trail): readonly Written[] {
  const section = get(root, 'dependencies')
  const folders = get(section, 'cache_directories')
  const paths = folders ? asTexts(folders, trail, 'cache_directories') : []
  const key = 'v1-dependencies-{{ .Branch }}-'
  return [
    ...(paths.length > 0 ? [{ restore_cache: { key } }] : []),
    ...phase(root, 'dependencies', ['pre'], setup, trail),
    ...overridden(root, 'dependencies', inferredDependencies, trail),
    ...phase(root, 'dependencies', ['post'], setup, trail),
    ...(paths.length > 0 ? [{ save_cache: { key: `${key}{{ epoch }}`, paths } }] : []),
  ]
}

function overridden(root: MapNode, section: string, inferred: string, trail: Trail): readonly Written[] {
  const given = get(get(root, section), 'override')
  if (given && !(given.kind === 'scalar' && given.value === null))
    return phase(root, section, ['override'], setup, trail)
  return [{ run: { name: `Inferred ${section}`, command: inferred } }]
}

/** All tests run, even after one has failed; but none if the job never got that far. */
function tests(root: MapNode, outer: Trail): readonly Written[] {
  const trail = within(outer, 'test')
  const section = get(root, 'test')
  const list = (name: string) => readCommands(get(section, name), trail)
  const override = list('override')
  const isInferred = override.length === 0 && get(section, 'override')?.kind !== 'list'
  const place: Place = section ?? root
  const inferred = { text: inferredTests, said: emptyMap(place), place }
  const commands = [...list('pre'), ...(isInferred ? [inferred] : override), ...list('post')]
  return commands.map((command, index) => stepOf(command, index === 0 ? firstTest : laterTest, trail))
}

const emptyMap = (place: Place) => mapNode(new Map(), place)

const mark = '"$HOME/.circle-tests-begun"'
const firstTest: Manner = { step: 'run', before: `touch ${mark}` }
const laterTest: Manner = { step: 'run', when: 'always', before: `[ -e ${mark} ] || exit 0` }

function results(root: MapNode, trail: Trail): readonly Written[] {
  const artifacts = get(get(root, 'general'), 'artifacts')
  const paths = artifacts ? asTexts(artifacts, trail, 'artifacts') : []
  return [
    { store_test_results: { path: reportsFolder } },
    ...[artifactsFolder, ...paths].map((path) => ({ store_artifacts: { path } })),
  ]
}
