import type { Step } from '#core/plan.ts'
import { checkKeys, unexpected } from '#config/read.ts'
import { blame, type Trail, within } from '#config/trail.ts'
import { isNull, type MapNode, mapNode, mapOf, type Node } from '#config/yaml/node.ts'
import { restoreCache, saveCache } from './cache.ts'
import { checkout } from './checkout.ts'
import { storeArtifacts, storeTestResults } from './results.ts'
import { deploy, run } from './run.ts'
import { addSshKeys, installSigningBundle, setupRemoteDocker } from './setup.ts'
import type { StepKind } from './step-kind.ts'
import { attachWorkspace, persistToWorkspace } from './workspace.ts'

/** The steps that need no definition. */
export const builtIn: ReadonlyMap<string, StepKind> = new Map([
  ['run', run],
  ['deploy', deploy],
  ['checkout', checkout],
  ['save_cache', saveCache],
  ['restore_cache', restoreCache],
  ['persist_to_workspace', persistToWorkspace],
  ['attach_workspace', attachWorkspace],
  ['store_artifacts', storeArtifacts],
  ['store_test_results', storeTestResults],
  ['setup_remote_docker', setupRemoteDocker],
  ['add_ssh_keys', addSshKeys],
  ['add-ssh-keys', addSshKeys],
  ['install_signing_bundle', installSigningBundle],
])

/** A built-in step with its arguments complete: `run: make` has become `run: {command: make}`. */
export interface BareStep {
  readonly name: string
  readonly body: MapNode
}

/** Brings the arguments of a built-in step into their full form; undefined where a problem was noted. */
export function fullStep(name: string, kind: StepKind, given: Node, trail: Trail): BareStep | undefined {
  if (given.kind === 'map') return { name, body: given }
  if (isNull(given) && kind.bare) return { name, body: mapNode(new Map(), given) }
  if (given.kind === 'scalar' && !isNull(given) && kind.shorthand !== undefined) {
    return { name, body: mapOf([[kind.shorthand, given]], given) }
  }
  if (given.kind !== 'scalar' || isNull(given)) return unexpected(given, 'Mapping', trail, name)
  blame(trail, given, `[${name}] This type of step does not support compressed syntax`)
  return undefined
}

/** What the agent will do for a built-in step. */
export function readStep({ name, body }: BareStep, trail: Trail): Step | undefined {
  const kind = builtIn.get(name)
  if (!kind) return undefined
  const here = within(trail, `step: ${name}`)
  checkKeys(body, kind.keys, kind.isTolerant ? { ...here, isTolerant: true } : here)
  return kind.read(body, here)
}
