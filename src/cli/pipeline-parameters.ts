import { parse } from 'yaml'

export type PipelineParameters = Readonly<Record<string, string | number | boolean>>

/** Reads the pipeline parameters of a command, in JSON or YAML; a sentence instead if they are none. */
export function readPipelineParameters(text: string): PipelineParameters | string {
  const form = 'Cannot read the pipeline parameters as they must be a mapping of names to texts, numbers or booleans'
  let tree: unknown
  try {
    tree = parse(text)
  } catch {
    return `${form}: they are neither JSON nor YAML`
  }
  if (tree === null) return {}
  if (typeof tree !== 'object' || Array.isArray(tree)) return `${form}: they are no mapping`
  const wrong = Object.entries(tree).find(([, value]) => !['string', 'number', 'boolean'].includes(typeof value))
  return wrong ? `${form}: ${wrong[0]} is none of them` : (tree as PipelineParameters)
}
