import { type ParameterType, pipelineTypes } from '#config/definitions/parameters.ts'
import { parse } from '#config/parse.ts'
import { get, type Node, type Scalar } from '#config/yaml/node.ts'

/** A pipeline parameter as its configuration declares it. */
export interface DeclaredParameter {
  readonly name: string
  readonly type: ParameterType
  readonly usual: Scalar
  readonly description: string | undefined
  readonly choices: readonly string[]
}

/** The pipeline parameters that a configuration declares, in its order; what is declared wrongly is left to the compiler. */
export function declaredParameters(source: string): readonly DeclaredParameter[] {
  const parameters = get(parse(source).root, 'parameters')
  if (parameters?.kind !== 'map') return []
  return [...parameters.entries].flatMap(([name, { value }]) => {
    const type = pipelineTypes.find((one) => one === textOf(get(value, 'type')))
    if (type === undefined) return []
    const usual = get(value, 'default')
    const choices = get(value, 'enum')
    return {
      name,
      type,
      usual: usual?.kind === 'scalar' ? usual.value : null,
      description: textOf(get(value, 'description')),
      choices: choices?.kind === 'list' ? choices.items.flatMap((item) => textOf(item) ?? []) : [],
    }
  })
}

const textOf = (node: Node | undefined): string | undefined => (node?.kind === 'scalar' ? node.text : undefined)
