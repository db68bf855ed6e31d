import { parse, type Parsed } from '#config/parse.ts'
import { get, type Scalar } from '#config/yaml/node.ts'

/** Whether a configuration makes another one (`setup: true`). */
export function isSetup({ root }: Pick<Parsed, 'root'>): boolean {
  const setup = get(root, 'setup')
  return setup?.kind === 'scalar' && setup.value === true
}

/** The pipeline parameters that a configuration declares, with their defaults. */
export function declaredDefaults(source: string): ReadonlyMap<string, Scalar | undefined> {
  const parameters = get(parse(source).root, 'parameters')
  if (parameters?.kind !== 'map') return new Map()
  return new Map(
    [...parameters.entries].map(([name, { value }]) => {
      const usual = get(value, 'default')
      return [name, usual?.kind === 'scalar' ? usual.value : undefined]
    }),
  )
}
