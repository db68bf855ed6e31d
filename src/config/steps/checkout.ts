import { asInteger, asWord, textAt } from '#config/read.ts'
import { blame } from '#config/trail.ts'
import { get, isNull } from '#config/yaml/node.ts'
import { commonKeys, nameAndWhen, type StepKind } from './step-kind.ts'

const methods = ['full', 'blobless', 'shallow'] as const

/** Gets the repository at the revision of the pipeline. */
export const checkout: StepKind = {
  keys: [...commonKeys, 'path', 'method', 'depth'],
  bare: true,
  isTolerant: true,
  read(body, trail) {
    const path = textAt(body, 'path', trail)
    const methodNode = get(body, 'method')
    const method =
      (methodNode && !isNull(methodNode) ? asWord(methodNode, methods, trail, 'method') : undefined) ?? 'full'
    const depthNode = get(body, 'depth')
    const depth = depthNode ? asInteger(depthNode, 1, 1_000_000_000, trail, 'depth') : undefined
    if (depthNode && method !== 'shallow')
      blame(trail, depthNode, 'Cannot use [depth] with a method other than shallow')
    return {
      ...nameAndWhen(body, 'Checkout code', 'on_success', trail),
      type: 'checkout',
      ...(path !== undefined && { path }),
      method,
      ...(depth !== undefined && { depth }),
    }
  },
}
