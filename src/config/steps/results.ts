import { neededText, textAt } from '#config/read.ts'
import { commonKeys, nameAndWhen, type StepKind } from './step-kind.ts'

/** Results are kept after a failure too: that is when people want them (§A6). */
export const storeArtifacts: StepKind = {
  keys: [...commonKeys, 'path', 'destination'],
  read(body, trail) {
    const path = neededText(body, 'path', trail)
    const destination = textAt(body, 'destination', trail)
    const named = nameAndWhen(body, 'Uploading artifacts', 'always', trail)
    if (path === undefined) return undefined
    return { ...named, type: 'store_artifacts', path, ...(destination !== undefined && { destination }) }
  },
}

/** Collects test reports; after a failure too. */
export const storeTestResults: StepKind = {
  keys: [...commonKeys, 'path'],
  read(body, trail) {
    const path = neededText(body, 'path', trail)
    const named = nameAndWhen(body, 'Uploading test results', 'always', trail)
    return path === undefined ? undefined : { ...named, type: 'store_test_results', path }
  },
}
