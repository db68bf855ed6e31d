import type { Executor } from '#core/plan.ts'
import { booleanAt, checkKeys, neededText, textAt, unexpected } from '#config/read.ts'
import { within, type Trail } from '#config/trail.ts'
import { isNull, type Node } from '#config/yaml/node.ts'

/** Keys that `machine` and `macos` take for the whole job. */
export const sharedKeys = ['resource_class', 'shell']
/** What can be said about a machine. */
export const machineKeys = ['image', 'docker_layer_caching', 'enabled', ...sharedKeys]
/** What can be said about a Mac. */
export const macosKeys = ['xcode', 'code_signing', ...sharedKeys]

/** A whole machine: `true`, or a mapping that says which. */
export function readMachine(node: Node, trail: Trail): Executor | undefined {
  if (isNull(node)) return { type: 'machine', dockerLayerCaching: false }
  if (node.kind === 'scalar') {
    const named = typeof node.value === 'string' && node.text !== 'default' && node.text !== 'true'
    return { type: 'machine', ...(named && { image: node.text }), dockerLayerCaching: false }
  }
  if (node.kind === 'list') return unexpected(node, 'Mapping', trail, 'machine')
  const here = within(trail, 'machine')
  checkKeys(node, machineKeys, here)
  const image = textAt(node, 'image', here)
  booleanAt(node, 'enabled', here)
  return {
    type: 'machine',
    ...(image !== undefined && { image }),
    dockerLayerCaching: booleanAt(node, 'docker_layer_caching', here) ?? false,
  }
}

/** A Mac with a given Xcode. */
export function readMacos(node: Node, trail: Trail): Executor | undefined {
  if (node.kind !== 'map') return unexpected(node, 'Mapping', trail, 'macos')
  const here = within(trail, 'macos')
  checkKeys(node, macosKeys, here)
  const xcode = neededText(node, 'xcode', here)
  return xcode === undefined ? undefined : { type: 'macos', xcode }
}
