import { asTexts, neededText, neededTexts } from '#config/read.ts'
import { blame } from '#config/trail.ts'
import { get } from '#config/yaml/node.ts'
import { commonKeys, nameAndWhen, type StepKind } from './step-kind.ts'

const longestKey = 900

/** Keeps paths under a key, for later jobs. */
export const saveCache: StepKind = {
  keys: [...commonKeys, 'key', 'paths'],
  read(body, trail) {
    const key = neededText(body, 'key', trail)
    if (key !== undefined && key.length > longestKey) {
      blame(trail, get(body, 'key'), `[key] must have at most ${longestKey} characters, found: ${key.length}`)
    }
    const paths = neededTexts(body, 'paths', trail)
    const named = nameAndWhen(body, 'Saving cache', 'on_success', trail)
    return key === undefined ? undefined : { ...named, type: 'save_cache', key, paths }
  },
}

/** Brings back what the first matching key holds. */
export const restoreCache: StepKind = {
  keys: [...commonKeys, 'key', 'keys'],
  read(body, trail) {
    const [key, keys] = [get(body, 'key'), get(body, 'keys')]
    if (!key && !keys) blame(trail, body, 'required key [key] or [keys] not found')
    return {
      ...nameAndWhen(body, 'Restoring cache', 'on_success', trail),
      type: 'restore_cache',
      keys: [...(key ? asTexts(key, trail, 'key') : []), ...(keys ? asTexts(keys, trail, 'keys') : [])],
    }
  },
}
