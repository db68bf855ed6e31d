import { neededText, neededTexts } from '#config/read.ts'
import { commonKeys, nameAndWhen, type StepKind } from './step-kind.ts'

/** Hands files on to the jobs that follow. */
export const persistToWorkspace: StepKind = {
  keys: [...commonKeys, 'root', 'paths'],
  read(body, trail) {
    const root = neededText(body, 'root', trail)
    const paths = neededTexts(body, 'paths', trail)
    const named = nameAndWhen(body, 'Persisting to workspace', 'on_success', trail)
    return root === undefined ? undefined : { ...named, type: 'persist_to_workspace', root, paths }
  },
}

/** Takes over the files that earlier jobs handed on. */
export const attachWorkspace: StepKind = {
  keys: [...commonKeys, 'at'],
  read(body, trail) {
    const at = neededText(body, 'at', trail)
    const named = nameAndWhen(body, 'Attaching workspace', 'on_success', trail)
    return at === undefined ? undefined : { ...named, type: 'attach_workspace', at }
  },
}
